import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Observable, tap } from 'rxjs';
import {
  type Dataset,
  EXIT_CODES,
  type OverlapRule,
  rooms,
  type StopRequest,
} from '../../app/index.ts';
import { folder } from '../arguments.ts';
import { counted } from '../format.ts';
import { stopRequests } from '../stop-requests.ts';
import { type CommandContext, type CommonFlags, examplesText } from './context.ts';
import { utc } from './values.ts';

const { amountUnitsOf, requireThere } = await rooms.history();

/** Flags of every command on datasets. */
export interface DataFlags extends CommonFlags {
  /** The folder of all datasets. */
  readonly data: string;
}

/** The texts for the help of a command on datasets. */
export interface DataCommandText {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
}

/** A command on datasets. */
export function dataCommand(group: Command, text: DataCommandText): Command {
  return group
    .command(text.name)
    .description(text.description)
    .addOption(dataOption())
    .option('--json', 'one JSON document, for programs')
    .addHelpText('after', examplesText(text.examples));
}

export function dataOption(): Option {
  return new Option('--data <folder>', 'the folder of all datasets')
    .argParser(folder)
    .default('data');
}

/** The folder of datasets that a command reads. One given with `--data` must exist. */
export function folderOf(command: Command): string {
  const { data } = command.opts<DataFlags>();
  if (command.getOptionValueSource('data') === 'cli') requireThere(data);
  return data;
}

/** Adds `--mix`, for commands that add rows to a dataset. */
export function mixOption(command: Command): Command {
  return command.option('--mix', 'let rows join those of another origin, such as another venue');
}

/** Flags of commands that add rows to a dataset, which may already cover the same time. */
export interface OverlapFlags extends DataFlags {
  readonly append?: boolean;
  readonly replace?: boolean;
  readonly mix?: boolean;
  readonly source?: string;
}

export function overlapOf({ append, replace }: OverlapFlags): OverlapRule {
  if (append === true) return 'append';
  return replace === true ? 'replace' : 'refuse';
}

/** Adds the options of a command whose dataset may already cover the time of the new rows. */
export function withOverlap(command: Command): Command {
  command
    .addOption(
      new Option(
        '--append',
        'if the dataset has part of that time, add what lies before and after',
      ).conflicts('replace'),
    )
    .option('--replace', 'if the dataset has part of that time, take the new rows');
  return mixOption(command);
}

/** A name without characters that would lead out of the folder. */
export function datasetName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]*$/.test(text)) return text;
  throw new InvalidArgumentError('a name of a-z, 0-9, dots, dashes and underscores is wanted.');
}

/** Emits when a long-running command is to stop; a defect also sets its exit code. */
export function stopRequestsOf({ exitWith }: CommandContext): Observable<StopRequest> {
  return stopRequests.pipe(
    tap(({ outcome }) => {
      if (outcome !== 'success') exitWith(EXIT_CODES[outcome]);
    }),
  );
}

/** A dataset for programs. */
export function datasetJson(dataset: Dataset) {
  const { id, kind, market, source, resolution, rows, priceScale, amountScale, folder } = dataset;
  const leftOut = dataset.sources.reduce((sum, { dropped }) => sum + dropped, 0);
  return {
    ...{ dataset: id, kind, market, source, resolution: resolution ?? null, rows },
    from: utc(dataset.firstTime),
    to: utc(dataset.lastTime),
    ...{ priceScale, amountScale, folder },
    leftOut,
    amountUnits: amountUnitsOf(dataset),
    recordedGaps: dataset.gaps.map(({ from, to, reason, leftOut: changes = 0 }) => {
      return { from: utc(from), to: utc(to), reason, leftOut: changes };
    }),
  };
}

/** How many rows a dataset has, and the time that they span. */
export function spanText({ rows, firstTime, lastTime }: Dataset): string {
  return `${counted(rows, 'row')}, ${utc(firstTime)} to ${utc(lastTime)}`;
}

/** Warnings for whoever ran a command, a line each. */
export function warningLines(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `warning: ${warning}`);
}

/** The name of a source as it stands in the name of a dataset. */
export function sourceName(text: string): string {
  return datasetName(text.toLowerCase());
}
