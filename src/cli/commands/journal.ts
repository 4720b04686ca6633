import { type Command, Option } from 'commander';
import { EXIT_CODES, rooms, type TradeChoice } from '../../app/index.ts';
import { marketId, wholeNumber } from '../arguments.ts';
import { type CommandContext, type CommonFlags, examplesText, print } from './context.ts';
import { addEvents } from './journal-events.ts';
import {
  checkFindings,
  daysCsv,
  daysFindings,
  runsCsv,
  runsFindings,
  tradesFindings,
} from './journal-text.ts';
import { moment } from './values.ts';

const { checkJournal, journalDays, journalRuns, journalTrades, tradesCsv } = await rooms.journal();

const FILE = 'such as var/demo.journal';

/** `tradewind journal ...`: what the runs of a deployment came to, also while one goes on. */
export function defineJournal(group: Command, context: CommandContext): void {
  group
    .addHelpText('after', '\nOnly reads: a bot may write the journal meanwhile.')
    .addHelpText('after', examplesText(['journal runs var/demo.journal', TRADES, DAYS, EVENTS]));
  for (const add of [addRuns, addTrades, addDays, addEvents, addCheck]) add(group, context);
}

const TRADES = 'journal trades var/demo.journal --market btc_usdt --from 2024-01-31';
const DAYS = 'journal days var/demo.journal';
const EVENTS = 'journal events var/demo.journal --kind refusal';

function addRuns(group: Command, context: CommandContext): void {
  group
    .command('runs')
    .description('its runs: when, how they ended, orders, fills and realized profit')
    .argument('<file>', FILE)
    .option('--json', 'one JSON document, for programs')
    .addOption(csvOption('a line for each run and currency, for programs'))
    .addHelpText('after', examplesText(['journal runs var/demo.journal']))
    .action((path: string, flags: CsvFlags) => {
      const runs = journalRuns(path);
      if (flags.csv === true) context.write(runsCsv(runs));
      else print(context, flags, runsFindings(path, { runs, paint: context.paint }));
    });
}

interface CsvFlags extends CommonFlags {
  readonly csv?: boolean;
}

function csvOption(what: string): Option {
  return new Option('--csv', what).conflicts('json');
}

interface TradesFlags extends CsvFlags, Omit<TradeChoice, 'path'> {}

/** Adds the flags that choose among trades. */
function ofTrades(command: Command): Command {
  const run = wholeNumber(1, Number.MAX_SAFE_INTEGER);
  return command
    .argument('<file>', FILE)
    .option('--run <number>', 'closed in this run, or open at its end (default: all runs)', run)
    .option('--strategy <name>', 'of this strategy alone')
    .option('--market <id>', 'of this market alone, such as btc_usdt', marketId)
    .option('--from <moment>', 'closed then or later, such as 2024-01-31 (UTC)', moment)
    .option('--to <moment>', 'closed before then', moment)
    .option('--json', 'one JSON document, for programs');
}

function addTrades(group: Command, context: CommandContext): void {
  const trades = group
    .command('trades')
    .description('its trades from flat to flat, the newest last, then those still open');
  ofTrades(trades)
    .addOption(csvOption('lines as in trades.csv, for programs'))
    .addHelpText(
      'after',
      examplesText([TRADES, 'journal trades var/demo.journal --run 2 --csv > trades.csv']),
    )
    .action((path: string, flags: TradesFlags) => {
      const found = journalTrades({ ...flags, path });
      if (flags.csv === true) {
        const trips = [...found.closed, ...found.open.map(({ trip }) => trip)];
        context.write([...tradesCsv(trips)].join(''));
        return;
      }
      const { paint } = context;
      print(context, flags, tradesFindings(path, { found, paint, run: flags.run }));
    });
}

function addDays(group: Command, context: CommandContext): void {
  const days = group
    .command('days')
    .description('its closed trades by UTC day and currency: fees, net profit, running sum');
  ofTrades(days)
    .addOption(csvOption('a line for each day and currency, for programs'))
    .addHelpText('after', examplesText([DAYS, 'journal days var/demo.journal --strategy maker']))
    .action((path: string, flags: TradesFlags) => {
      const found = journalDays({ ...flags, path });
      if (flags.csv === true) context.write(daysCsv(found));
      else print(context, flags, daysFindings(path, { found, paint: context.paint }));
    });
}

function addCheck(group: Command, context: CommandContext): void {
  group
    .command('check')
    .description('whether its events are as they were written, by the hashes that chain them')
    .argument('<file>', FILE)
    .option('--json', 'one JSON document, for programs')
    .addHelpText('after', examplesText(['journal check var/demo.journal']))
    .action((path: string, flags: CommonFlags) => {
      const checks = checkJournal(path);
      print(context, flags, checkFindings(path, { checks, paint: context.paint }));
      if (checks.some(({ intact }) => !intact)) context.exitWith(EXIT_CODES.different);
    });
}
