import { Command, CommanderError, Option } from 'commander';
import {
  bundledStrategies,
  EXIT_CODES,
  EXIT_MEANINGS,
  type ExitReason,
  version,
} from '../app/index.ts';
import { duration, number } from './arguments.ts';
import { addAccount } from './commands/account.ts';
import { addBacktest } from './commands/backtest.ts';
import { addCompare } from './commands/compare.ts';
import { processContext } from './commands/context.ts';
import { addData } from './commands/data.ts';
import { addMarket } from './commands/market.ts';
import { addOrders } from './commands/orders.ts';
import { addReplay } from './commands/replay.ts';
import { addWithdraw } from './commands/withdraw.ts';
import { exchangeCommand } from './exchange-command.ts';
import { reportFailure } from './failure.ts';
import { runCommand } from './run-command.ts';

const port = number((n) => Number.isInteger(n) && n >= 0 && n <= 65_535, 'a port from 0 to 65535');
const speed = number((n) => Number.isFinite(n) && n > 0, 'a number above 0');
const scale = number((n) => n > 0 && n <= 100_000, 'a number above 0, at most 100000');

const EXIT_CODE_HELP = `
Exit codes:
${Object.entries(EXIT_CODES)
  .map(([name, code]) => `  ${String(code).padEnd(2)}  ${EXIT_MEANINGS[name as ExitReason]}`)
  .join('\n')}`;

const RUN_HELP = `
Ctrl-C cancels all orders, verifies it and ends. A second one tells what is waited for, a third quits.

Examples:
  tradewind run config/demo.yaml --for 30s
  tradewind run config/demo.yaml --virtual --for 1h --seed other
  tradewind run my/live.yaml --resume`;

const EXCHANGE_HELP = `
Examples:
  tradewind exchange
  tradewind exchange --replay trades.json.gz --speed 10 --port 0
  tradewind exchange --config config/exchange.yaml --dialect recorded
  tradewind exchange --time stepped --admin-port 8711`;

function program(): Command {
  const root = new Command('tradewind')
    .description(
      'Strategies from streams to orders, safely: the same code in a rehearsal, on paper and live.',
    )
    .version(version())
    .showHelpAfterError('(--help tells what is allowed)')
    .addHelpText('after', `\nBundled strategies: ${bundledStrategies().join(', ')}`)
    .addHelpText('afterAll', EXIT_CODE_HELP)
    .exitOverride();
  addRun(root);
  addBacktest(root);
  addExchange(root);
  const context = processContext();
  for (const add of [addMarket, addAccount, addOrders, addWithdraw, addData, addReplay, addCompare])
    add(root, context);
  return root;
}

function addRun(root: Command): void {
  root
    .command('run')
    .description('run the deployment that a YAML file describes')
    .argument('<config>', 'the deployment, such as config/demo.yaml')
    .option('--for <time>', 'stop by itself after this time, such as 30s or 2h', duration)
    .option('--virtual', 'on virtual time, as fast as possible (simulated venue; needs --for)')
    .option('--seed <text>', "seed of all randomness, in place of the file's")
    .option('--resume', 'trade again although an earlier run was halted by a limit')
    .addHelpText('after', RUN_HELP)
    .action(runCommand);
}

function addExchange(root: Command): void {
  root
    .command('exchange')
    .description('serve the simulated exchange over HTTP and WebSocket')
    .option('--config <file>', 'markets, accounts, keys and limits (default: config/exchange.yaml)')
    .option('--port <number>', 'port to listen on, 0 for any free one', port)
    .option('--replay <file>', 'play recorded trades (JSON, CSV) or depth and trades; also gz')
    .option('--speed <number>', 'how many times faster than it happened the recording runs', speed)
    .addOption(new Option('--dialect <name>', 'wire dialect').choices(['documented', 'recorded']))
    .addOption(
      new Option(
        '--time <mode>',
        "the exchange's time; stepped: only the admin port moves it",
      ).choices(['real', 'scaled', 'stepped']),
    )
    .option('--scale <number>', 'seconds of the exchange in a real one (scaled time)', scale)
    .option(
      '--admin-port <number>',
      "the operator's port, on this machine alone (default: none)",
      port,
    )
    .option('--for <time>', 'stop by itself after this time, such as 30s or 2h', duration)
    .addHelpText('after', EXCHANGE_HELP)
    .action(exchangeCommand);
}

// A log that nobody can read any more is no reason to lose sight of orders.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  await program().parseAsync();
} catch (thrown) {
  process.exitCode =
    thrown instanceof CommanderError
      ? EXIT_CODES[thrown.exitCode === 0 ? 'success' : 'usage']
      : reportFailure(thrown);
}
// What a strategy left behind, such as a timer of its own, does not keep the process alive.
process.stdout.write('', () => process.exit());
