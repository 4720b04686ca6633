import { type Command, Option } from 'commander';
import {
  type DownloadProgress,
  type DownloadReport,
  type Interval,
  printable,
  rooms,
} from '../../app/index.ts';
import { collected, marketId } from '../arguments.ts';
import { counted, formatDuration } from '../format.ts';
import { intervalOption } from '../lengths.ts';
import { ProgressLine } from '../progress-line.ts';
import { type CommandContext, print, venueCommand } from './context.ts';
import {
  type DataFlags,
  dataOption,
  datasetJson,
  mixOption,
  sourceName,
  spanText,
  stopRequestsOf,
} from './data-command.ts';
import { moment, utc } from './values.ts';

const { downloadData } = await rooms.history();

interface DownloadFlags extends DataFlags {
  readonly interval: Interval;
  readonly trades?: boolean;
  readonly from?: number;
  readonly to?: number;
  readonly source?: string;
  readonly mix?: boolean;
}

/** `tradewind data download`: past candles or trades of a venue. */
export function addDownload(group: Command, context: CommandContext): void {
  const command = venueCommand(group, {
    name: 'download',
    description: 'candles or trades of a venue; goes on where the dataset ends',
    needs: {},
    examples: [
      'data download btc_usdt eth_usdt --interval 1hour --from 2024-01-01',
      'data download btc_usdt --trades --from 2024-01-31 --to 2024-02-01',
    ],
  })
    .argument('<markets...>', 'such as btc_usdt', collected(marketId))
    .addOption(dataOption())
    .addOption(intervalOption('of candles'))
    .addOption(
      new Option('--trades', 'trades in place of candles (a new dataset needs --from)').conflicts(
        'interval',
      ),
    )
    .option('--from <moment>', 'beginning (default: where the dataset ends)', moment)
    .option('--to <moment>', 'end, not included (default: now)', moment)
    .option('--source <name>', "in the dataset's name (default: the venue's host)", sourceName);
  mixOption(command).action((markets: string[], flags: DownloadFlags) =>
    download(context, { markets, flags }),
  );
}

async function download(
  context: CommandContext,
  { markets, flags }: { readonly markets: readonly string[]; readonly flags: DownloadFlags },
): Promise<void> {
  const { data: root, interval, trades, from, to, source, mix } = flags;
  const venue = await context.connect(flags, {});
  const beganMs = performance.now();
  const line = new ProgressLine(process.stderr, () => performance.now());
  const onProgress = (progress: DownloadProgress): void => {
    line.show(() => progressText(progress, performance.now() - beganMs));
  };
  const kind = { interval: trades === true ? undefined : interval };
  try {
    const choice = { root, markets, ...kind, from, to, source, mix };
    const reports = await downloadData(venue, choice, {
      stop: stopRequestsOf(context),
      onProgress,
    });
    line.close();
    print(context, flags, {
      json: reports.map(reportJson),
      lines: reports.flatMap(reportLines).map(printable),
    });
  } finally {
    line.close();
    await venue.close();
  }
}

/** Such as `btc.1min: 12,000 rows, at 2024-01-31T10:00:00.000Z, 40 %, 01:12 left`. */
function progressText({ id, rows, from, to, reached }: DownloadProgress, pastMs: number): string {
  const share = Math.min(1, Math.max(0, (reached - from) / (to - from)));
  const left = share > 0 ? `, ${formatDuration((pastMs / share) * (1 - share))} left` : '';
  const percent = `${Math.floor(share * 100)} %`;
  return `${id}: ${counted(rows, 'new row')}, at ${utc(reached)}, ${percent}${left}`;
}

function reportJson({ id, dataset, rows, stopped, untold }: DownloadReport) {
  const found = dataset === undefined ? { dataset: id, rows: 0 } : datasetJson(dataset);
  const missing = untold && { from: utc(untold.from), to: utc(untold.to) };
  return { ...found, newRows: rows, stopped, untold: missing ?? null };
}

/** The result of the download of a dataset, in lines. */
export function reportLines(report: DownloadReport): string[] {
  const { id, dataset, rows, stopped, untold } = report;
  const end = stopped ? '; stopped, the same command goes on from here' : '';
  if (dataset === undefined) {
    return [`${id}: ${stopped ? 'nothing so far' : 'the venue has nothing of that time'}${end}`];
  }
  return [
    `${id}: ${counted(rows, 'new row')}; ${spanText(dataset)}${end}`,
    ...(untold === undefined
      ? []
      : [`  nothing ${utc(untold.from)} to ${utc(untold.to)}: the venue has nothing of that time`]),
    ...dataset.gaps.map((gap) => `  gap ${utc(gap.from)} to ${utc(gap.to)}: ${gap.reason}`),
  ];
}
