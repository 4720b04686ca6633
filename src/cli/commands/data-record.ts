import { type Command, Option } from 'commander';
import {
  type GapNews,
  type Interval,
  printable,
  type RecordReport,
  rooms,
} from '../../app/index.ts';
import { collected, marketId } from '../arguments.ts';
import { counted, formatDuration } from '../format.ts';
import { duration, intervalOption } from '../lengths.ts';
import { ProgressLine } from '../progress-line.ts';
import { type CommandContext, print, venueCommand } from './context.ts';
import {
  type DataFlags,
  dataOption,
  mixOption,
  sourceName,
  stopRequestsOf,
} from './data-command.ts';
import { utc } from './values.ts';

const { recordData, RECORDED_KINDS } = await rooms.history();

interface RecordFlags extends DataFlags {
  readonly kinds: readonly (typeof RECORDED_KINDS)[number][];
  readonly interval: Interval;
  readonly for?: number;
  readonly source?: string;
  readonly mix?: boolean;
}

/** `tradewind data record`: live market data, with its gaps. */
export function addRecord(group: Command, context: CommandContext): void {
  const command = venueCommand(group, {
    name: 'record',
    description: 'live market data, until Ctrl-C; its gaps are recorded too',
    needs: { pushes: true },
    examples: [
      'data record btc_usdt --for 10m',
      'data record btc_usdt eth_usdt --kinds depth trades candles --interval 5min',
    ],
  })
    .argument('<markets...>', 'such as btc_usdt', collected(marketId))
    .addOption(dataOption())
    .addOption(
      new Option('--kinds <names...>', 'what to record')
        .choices(RECORDED_KINDS)
        .default(['depth', 'trades']),
    )
    .addOption(intervalOption('of candles'))
    .option('--for <time>', 'end by itself after this time, such as 10m', duration)
    .option('--source <name>', "in the datasets' names (default: the venue's host)", sourceName);
  mixOption(command).action((markets: string[], flags: RecordFlags) => {
    const isStated = command.getOptionValueSource('interval') === 'cli';
    if (isStated && !flags.kinds.includes('candles')) {
      command.error('error: --interval is of candles, --kinds with candles among them is wanted');
    }
    return record(context, { markets, flags });
  });
}

async function record(
  context: CommandContext,
  { markets, flags }: { readonly markets: readonly string[]; readonly flags: RecordFlags },
): Promise<void> {
  const { data: root, kinds, interval, for: durationMs, source, mix } = flags;
  const venue = await context.connect(flags, { pushes: true });
  const beganMs = performance.now();
  const line = new ProgressLine(process.stderr, () => performance.now());
  try {
    const choice = { root, markets, kinds, interval, durationMs, source, mix };
    const reports = await recordData(venue, choice, {
      stop: stopRequestsOf(context),
      onGap: (gap) => line.print(gapText(gap)),
      onProgress: (all) => line.show(() => progressText(all, performance.now() - beganMs)),
    });
    line.close();
    print(context, flags, {
      json: reports.map(({ id, rows, gaps }) => ({ dataset: id, newRows: rows, newGaps: gaps })),
      lines: reports.map(reportText),
    });
  } finally {
    line.close();
    await venue.close();
  }
}

function gapText({ id, from, reason }: GapNews): string {
  return printable(`${id}: a gap begins at ${utc(from)}: ${reason}`);
}

function progressText(reports: readonly RecordReport[], pastMs: number): string {
  return `${formatDuration(pastMs)}  ${reports.map(reportText).join('; ')}`;
}

function reportText({ id, rows, gaps }: RecordReport): string {
  return `${id}: ${counted(rows, 'new row')}, ${counted(gaps, 'gap')}`;
}
