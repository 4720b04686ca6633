import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT_CODES, version } from '../app/index.ts';
import { exchangeCommand } from './exchange-command.ts';
import { reportFailure } from './failure.ts';
import { runCommand } from './run-command.ts';

const DURATION_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30s`, `5m`, `2h`, `1d` or `250ms` in milliseconds. */
function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  const ms =
    match === null ? 0 : Number(match[1]) * DURATION_MS[match[2] as keyof typeof DURATION_MS];
  if (ms > 0) return ms;
  throw new InvalidArgumentError('a time such as 30s, 5m or 2h is wanted.');
}

function number(check: (value: number) => boolean, wanted: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && check(value)) return value;
    throw new InvalidArgumentError(`${wanted} is wanted.`);
  };
}

const port = number((n) => Number.isInteger(n) && n >= 0 && n <= 65_535, 'a port from 0 to 65535');
const speed = number((n) => Number.isFinite(n) && n > 0, 'a number above 0');

const EXIT_CODE_HELP = `
Exit codes:
  ${Object.entries(EXIT_CODES)
    .map(([name, code]) => `${code} ${name}`)
    .join(', ')}
`;

function program(): Command {
  const root = new Command('tradewind')
    .description(
      'Strategies from streams to orders, safely: the same code in a replay, on paper and live.',
    )
    .version(version())
    .showHelpAfterError('(add --help for what is allowed)')
    .addHelpText('after', EXIT_CODE_HELP)
    .exitOverride();

  root
    .command('run')
    .description('run the deployment that a YAML file describes')
    .argument('<config>', 'the deployment, such as config/demo.yaml')
    .option('--for <time>', 'stop by itself after this time, such as 30s or 2h', duration)
    .option('--virtual', 'on virtual time, as fast as possible (exchange in process; needs --for)')
    .addOption(new Option('--seed <text>', "seed of all randomness, in place of the file's"))
    .action(runCommand);

  root
    .command('exchange')
    .description('serve the simulated exchange over HTTP and WebSocket')
    .option('--config <file>', 'markets, accounts, keys and limits (default: a demo market)')
    .option('--port <number>', 'port to listen on, 0 for any free one', port)
    .option('--replay <file>', 'recorded trades (JSON, CSV, gz) or raw depth-and-trade recording')
    .option('--speed <number>', 'how many times faster than it happened the recording runs', speed)
    .addOption(new Option('--dialect <name>', 'wire dialect').choices(['documented', 'recorded']))
    .option('--for <time>', 'stop by itself after this time, such as 30s or 2h', duration)
    .action(exchangeCommand);
  return root;
}

try {
  await program().parseAsync();
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = thrown.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usage;
  } else {
    process.exitCode = reportFailure(thrown);
  }
}
