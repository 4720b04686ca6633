import { type Command, Option } from 'commander';
import { type EventChoice, type RunEvent, rooms } from '../../app/index.ts';
import { marketId, wholeNumber } from '../arguments.ts';
import { inParts } from '../in-parts.ts';
import { table, words } from '../table.ts';
import {
  type CommandContext,
  type CommonFlags,
  examplesText,
  type Findings,
  printInTurn,
} from './context.ts';
import { gistOf } from './event-text.ts';
import { moment, utc } from './values.ts';

const { EVENT_KINDS, journalEvents } = await rooms.journal();
const { timeOf } = await rooms.nouns();

/** How many events are shown by default. */
const LAST = 50;

/** Rows per table: all of them may not fit in memory. */
const ROWS = 10_000;

const COLUMNS = ['run', 'time', 'kind', 'market', 'what'].map(words);

interface EventsFlags extends CommonFlags, Omit<EventChoice, 'path' | 'kinds' | 'last'> {
  readonly kind?: EventChoice['kinds'];
  readonly last: number;
  readonly every?: boolean;
}

/** `tradewind journal events`: what was seen, decided and done, event by event. */
export function addEvents(group: Command, context: CommandContext): void {
  const count = wholeNumber(1, Number.MAX_SAFE_INTEGER);
  group
    .command('events')
    .description('what was decided and done, event by event, the newest last')
    .argument('<file>', 'such as var/demo.journal')
    .option('--run <number>', 'of this run (default: all runs)', count)
    .addOption(
      new Option('--kind <kind...>', 'of these kinds')
        .choices(EVENT_KINDS)
        .default(undefined, 'all but market data and timers'),
    )
    .option('--market <id>', 'of this market alone, such as btc_usdt', marketId)
    .option('--strategy <name>', 'of this strategy alone')
    .option('--order <id>', "of this order alone, by its client id or the exchange's id")
    .option('--from <moment>', 'then or later, such as 2024-01-31T03:00 (UTC)', moment)
    .option('--to <moment>', 'before then', moment)
    .option('--last <count>', 'how many of the newest to show', count, LAST)
    .addOption(new Option('--every', 'all of them').conflicts('last'))
    .option('--json', 'one JSON document, for programs')
    .addHelpText('after', examplesText(EXAMPLES))
    .action(async (path: string, { kind, last, every, ...flags }: EventsFlags) => {
      const limit = every === true ? undefined : last;
      const events = journalEvents({ ...flags, path, kinds: kind, last: limit });
      await printInTurn(context, flags, findings(path, { events, limit, context }));
    });
}

const EXAMPLES = [
  'journal events var/demo.journal --kind refusal requestFailure',
  'journal events var/demo.journal --order m4k2x7',
  'journal events var/demo.journal --from 2024-01-31T03:00 --to 2024-01-31T04:00 --every --json',
];

interface Found {
  readonly events: Iterable<RunEvent>;
  readonly limit: number | undefined;
  readonly context: CommandContext;
}

function findings(path: string, found: Found): Findings {
  return {
    json: { journal: path, events: found.events },
    // The events can be iterated only once: only one of `json` and `lines` is written.
    lines: eventLines(found),
  };
}

function* eventLines({ events, limit, context: { paint } }: Found): Generator<string> {
  let count = 0;
  for (const some of inParts(events, ROWS)) {
    yield* table(COLUMNS, { rows: some.map(cellsOf), paint });
    count += some.length;
  }
  if (count === 0) yield 'no such event';
  if (count === limit)
    yield `the newest ${limit}: --last and --every show more, --from and --to others`;
}

function cellsOf({ run, event }: RunEvent): string[] {
  const market = 'market' in event ? event.market : '';
  const time = utc(timeOf(event)).replace('T', ' ').slice(0, -1);
  return [`${run}`, time, event.kind, market, gistOf(event)];
}
