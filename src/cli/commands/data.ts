import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  EXIT_CODES,
  type Exported,
  type ExportFormat,
  type ImportResult,
  printable,
  type Resampled,
  rooms,
} from '../../app/index.ts';
import { marketId, number } from '../arguments.ts';
import { counted, formatNumber } from '../format.ts';
import { interruptible } from '../interruptible.ts';
import { numbers, table, words } from '../table.ts';
import { type CommandContext, type CommonFlags, examplesText, print } from './context.ts';
import { addCheck } from './data-check.ts';
import {
  type DataFlags,
  dataCommand,
  datasetJson,
  datasetName,
  folderOf,
  type OverlapFlags,
  overlapOf,
  sourceName,
  spanText,
  warningLines,
  withOverlap,
} from './data-command.ts';
import { addDownload } from './data-download.ts';
import { addGenerate } from './data-generate.ts';
import { addRecord } from './data-record.ts';
import { addRemove } from './data-remove.ts';
import { moment, utc } from './values.ts';

const {
  EXPORT_FORMATS,
  exportData,
  importData,
  isContractSize,
  openDatasets,
  removeLeft,
  resampleData,
  resolutionMs,
} = await rooms.history();

/** `tradewind data ...`: recorded markets on disk. */
export function defineData(group: Command, context: CommandContext): void {
  group.addHelpText('after', examplesText(['data import BTCUSDT-1m-2024-*.csv', 'data list']));
  // Work folders of killed commands disturb nobody, but take up room.
  group.hook('preAction', (_, command) => removeLeft(command.opts<DataFlags>().data));
  const looks = [addList, addCheck, addResample, addExport, addRemove];
  for (const add of [addImport, addDownload, addRecord, addGenerate, ...looks]) add(group, context);
}

interface ImportFlags extends OverlapFlags {
  readonly market?: string;
  readonly resolution?: string;
  readonly mapping?: string;
  readonly contractSize?: number;
  readonly dropDuplicates?: boolean;
}

function addImport(group: Command, context: CommandContext): void {
  const command = dataCommand(group, {
    name: 'import',
    description: 'import files; what they hold is known by their content',
    examples: [
      'data import BTCUSDT-1m-2024-*.csv',
      'data import trades.json.gz --market xrp_eth --source binance',
      'data import mine.csv --mapping mine.yaml',
    ],
  })
    .argument('<files...>', 'CSV, JSON, Parquet, Feather or recordings; also gz and zip')
    .option('--market <id>', 'such as btc_usdt (default: by content or name)', marketId)
    .option('--source <name>', 'who published them (default: by content, else local)', sourceName)
    .option('--resolution <length>', 'of candles, such as 1min (default: by their times)', length)
    .option('--mapping <file>', 'YAML that says which column holds what')
    .option(
      '--contract-size <amount>',
      'how much of the base currency a unit of the amounts is worth (default: 1)',
      number(isContractSize, 'a number above zero of at most 12 digits'),
    )
    .option('--drop-duplicates', 'leave out rows that repeat another');
  withOverlap(command).action(async (files: string[], flags: ImportFlags) => {
    const { data: root, append: _a, replace: _r, json: _j, ...others } = flags;
    const overlap = overlapOf(flags);
    await interruptible(async (signal) => {
      const results = await importData({ root, files, overlap, signal, ...others });
      print(context, flags, importFound(results));
    });
  });
}

function importFound(results: readonly ImportResult[]) {
  const json = results.map(({ dataset, sources, warnings }) => ({
    ...datasetJson(dataset),
    imported: sources.map(({ name, sha256, format, rows, outOfOrder, dropped, ...span }) => {
      const times = { firstTime: utc(span.firstTime), lastTime: utc(span.lastTime) };
      return { name, sha256, format, rows, ...times, outOfOrder, dropped };
    }),
    warnings,
  }));
  return { json, lines: results.flatMap(importLines).map(printable) };
}

function importLines({ dataset, sources, added, warnings }: ImportResult): string[] {
  const { rows, firstTime, lastTime } = dataset;
  const isNew = added === undefined ? '' : `, ${formatNumber(added, 0)} of them new`;
  return [
    ...sources.map(({ name, format, rows, dropped }) => {
      const left = dropped === 0 ? '' : `, ${counted(dropped, 'duplicate')} left out`;
      return `${name}: ${format}, ${counted(rows, 'row')}${left}`;
    }),
    `${dataset.id}: ${counted(rows, 'row')}${isNew}, ${utc(firstTime)} to ${utc(lastTime)}`,
    ...warningLines(warnings),
  ];
}

function addList(group: Command, context: CommandContext): void {
  dataCommand(group, {
    name: 'list',
    description: `the datasets there are; code ${EXIT_CODES.recording} where one cannot be read`,
    examples: ['data list', 'data list --data /mnt/history'],
  }).action((flags: DataFlags, command: Command) => {
    const folder = folderOf(command);
    const { datasets, damaged } = openDatasets(folder);
    const rows = datasets.map(({ id, kind, rows, firstTime, lastTime, gaps }) => [
      ...[id, kind, String(rows), utc(firstTime), utc(lastTime)],
      gaps.length === 0 ? '' : String(gaps.length),
    ]);
    const span = [words('from'), words('to'), numbers('recorded gaps')];
    const columns = [words('dataset'), words('kind'), numbers('rows'), ...span];
    const lines =
      rows.length + damaged.length === 0
        ? [`no datasets in ${printable(folder)}: \`data import\` or \`data download\` brings some`]
        : table(columns, { rows, paint: context.paint });
    const json = [...datasets.map(datasetJson), ...damaged.map(damagedJson)];
    print(context, flags, {
      json,
      lines: [...lines, ...damaged.map(({ reason }) => printable(reason))],
    });
    if (damaged.length > 0) context.exitWith(EXIT_CODES.recording);
  });
}

function damagedJson({ id, reason }: { readonly id: string; readonly reason: string }) {
  return { dataset: id, damaged: reason };
}

function addResample(group: Command, context: CommandContext): void {
  const command = dataCommand(group, {
    name: 'resample',
    description: 'candles from trades or quotes, or coarser ones from candles',
    examples: [
      'data resample binance.btc_usdt.trades 1min',
      'data resample binance.btc_usdt.1min 1hour',
    ],
  })
    .argument('<dataset>', 'such as binance.btc_usdt.1min', datasetName)
    .argument('<resolution>', 'such as 5min, 1hour or 1day', length)
    .option('--source <name>', "of the new dataset (default: the old one's)", sourceName);
  withOverlap(command).action(async (id: string, resolution: string, flags: OverlapFlags) => {
    const { data: root, source, mix } = flags;
    const choice = { root, id, resolution, source, mix, overlap: overlapOf(flags) };
    await interruptible(async (signal) => {
      print(context, flags, resampleFound(await resampleData({ ...choice, signal })));
    });
  });
}

function resampleFound({ dataset, warnings }: Resampled) {
  const lines = [`${dataset.id}: ${spanText(dataset)}`, ...warningLines(warnings)];
  return { json: { ...datasetJson(dataset), warnings }, lines };
}

/** The length of candles, such as `5min`. */
function length(text: string): string {
  if (resolutionMs(text) !== undefined) return text;
  throw new InvalidArgumentError('a length such as 5min, 1hour or 1day is wanted.');
}

/** The file endings that tell the format. */
const KNOWN_ENDING = new RegExp(`\\.(${EXPORT_FORMATS.join('|')})$`, 'i');

interface ExportFlags extends DataFlags, CommonFlags {
  readonly format?: ExportFormat;
  readonly from?: number;
  readonly to?: number;
  readonly force?: boolean;
}

function addExport(group: Command, context: CommandContext): void {
  const command = dataCommand(group, {
    name: 'export',
    description: 'write a dataset to a file of CSV, JSON or Parquet',
    examples: ['data export binance.btc_usdt.1min btc.csv --from 2021-05-01 --to 2021-06-01'],
  });
  const fileOf = (file: string): string => {
    if (KNOWN_ENDING.test(file) || command.opts<ExportFlags>().format !== undefined) return file;
    throw new InvalidArgumentError(
      'a file that ends in .csv, .json or .parquet is wanted, or --format.',
    );
  };
  command
    .argument('<dataset>', 'such as binance.btc_usdt.1min', datasetName)
    .argument('<file>', 'ends in .csv, .json or .parquet', fileOf)
    .addOption(
      new Option('--format <name>', "in place of the file's ending").choices(EXPORT_FORMATS),
    )
    .option('--from <moment>', 'first time, such as 2021-05-01', moment)
    .option('--to <moment>', 'end, not included', moment)
    .option('--force', 'overwrite an existing file')
    .action(async (id: string, file: string, flags: ExportFlags) => {
      const { data: root, json: _, ...others } = flags;
      await interruptible(async (signal) => {
        const exported = await exportData({ root, id, file, signal, ...others });
        print(context, flags, {
          json: { dataset: id, file, ...exported },
          lines: exportLines(exported, { id, file }),
        });
      });
    });
}

function exportLines(
  { rows, openingRows, warnings }: Exported,
  { id, file }: { readonly id: string; readonly file: string },
): string[] {
  const opening =
    openingRows === 0
      ? ''
      : `, the first ${formatNumber(openingRows, 0)} of them the book as it stood at their start`;
  return [`${file}: ${counted(rows, 'row')} of ${id}${opening}`, ...warningLines(warnings)];
}
