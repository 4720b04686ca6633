import { Command } from 'commander';
import { bundledStrategies, EXIT_MEANINGS, version } from '../app/index.ts';
import type { CommandContext } from './commands/context.ts';

const EXIT_CODE_HELP = `
Exit codes:
${EXIT_MEANINGS.map(([codes, meaning]) => `  ${codes.padEnd(13)}  ${meaning}`).join('\n')}`;

/** Stands below the help of a command, to which not all codes apply. */
const EXIT_CODE_HINT = '\nExit codes: tradewind --help tells them.';

/** A command as the help lists it. Its module is loaded only when the command is asked for. */
interface ListedCommand {
  /** Its name and arguments. */
  readonly usage: string;
  readonly description: string;
  readonly read: () => Promise<(command: Command, context: CommandContext) => void>;
}

/** The commands in the order of the help. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    usage: 'run [options] <config>',
    description: 'run the deployment that a YAML file describes',
    read: async () => (await import('./run-command.ts')).defineRun,
  },
  {
    usage: 'backtest [options] <config>',
    description: 'replay history through a deployment, as fast as possible',
    read: async () => (await import('./commands/backtest.ts')).defineBacktest,
  },
  {
    usage: 'exchange [options]',
    description: 'serve the simulated exchange over HTTP and WebSocket',
    read: async () => (await import('./exchange-command.ts')).defineExchange,
  },
  {
    usage: 'market',
    description: 'show market data; needs no key',
    read: async () => (await import('./commands/market.ts')).defineMarket,
  },
  {
    usage: 'account',
    description: 'show the account of the key',
    read: async () => (await import('./commands/account.ts')).defineAccount,
  },
  {
    usage: 'orders',
    description: 'list, place and cancel orders by hand',
    read: async () => (await import('./commands/orders.ts')).defineOrders,
  },
  {
    usage: 'positions',
    description: 'tell a journal what a strategy holds after coins were moved by hand',
    read: async () => (await import('./commands/positions.ts')).definePositions,
  },
  {
    usage: 'withdraw [options] <currency> <amount>',
    description: 'send money away; asks twice',
    read: async () => (await import('./commands/withdraw.ts')).defineWithdraw,
  },
  {
    usage: 'data',
    description:
      'recorded markets on disk: import, download, record or make some up, list, check, resample, ' +
      'export, remove',
    read: async () => (await import('./commands/data.ts')).defineData,
  },
  {
    usage: 'journal',
    description: 'what the runs in a journal came to: runs, trades, profit by day, every event',
    read: async () => (await import('./commands/journal.ts')).defineJournal,
  },
  {
    usage: 'alerts [options] <config>',
    description: 'post a trial alert of a deployment, to see whether it arrives',
    read: async () => (await import('./commands/alerts.ts')).defineAlerts,
  },
  {
    usage: 'replay [options] <journal>',
    description: 'let the strategies of a recorded run decide once more, and compare',
    read: async () => (await import('./commands/replay.ts')).defineReplay,
  },
  {
    usage: 'compare [options] <a> <b>',
    description: 'two runs side by side: where the profit differs, and why',
    read: async () => (await import('./commands/compare.ts')).defineCompare,
  },
];

/**
 * The words, without a leading `help` if an unknown command follows. Commander then reports the
 * unknown command instead of showing the general help without comment.
 */
export function withoutLostHelp(words: readonly string[]): readonly string[] {
  const [first, second = 'help'] = words;
  const names = [...COMMANDS.map(nameOf), 'help'];
  const isLost = first === 'help' && !names.includes(second);
  return isLost ? words.slice(1) : words;
}

const nameOf = ({ usage }: ListedCommand): string => usage.split(' ')[0]!;

/** The command line. Only the command that the words ask for is loaded; others are listed. */
export async function program(words: readonly string[], context: CommandContext): Promise<Command> {
  const root = new Command('tradewind')
    .description(
      'Trades by your strategies, safely: the same code in a backtest, on paper and live.',
    )
    .version(version())
    .showHelpAfterError('(--help tells what is allowed)')
    .addHelpText('after', `\nBundled strategies: ${bundledStrategies().join(', ')}`)
    .addHelpText('afterAll', ({ command }) =>
      command.parent === null ? EXIT_CODE_HELP : EXIT_CODE_HINT,
    )
    .exitOverride();
  // The command's name is the first word, or the second one after `help`.
  const asked = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  for (const listed of COMMANDS) {
    const command = root.command(nameOf(listed)).description(listed.description);
    if (asked.includes(nameOf(listed))) (await listed.read())(command, context);
  }
  const usages = new Map(COMMANDS.map((listed) => [nameOf(listed), listed.usage]));
  const { subcommandTerm } = root.createHelp();
  return root.configureHelp({
    subcommandTerm: (command) => usages.get(command.name()) ?? subcommandTerm(command),
  });
}
