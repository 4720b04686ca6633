import type { Command } from 'commander';
import { type CheckReport, EXIT_CODES, type Finding, printable, rooms } from '../../app/index.ts';
import { wholeNumber } from '../arguments.ts';
import { counted, formatNumber } from '../format.ts';
import { interruptible } from '../interruptible.ts';
import type { Paint } from '../style.ts';
import { type CommandContext, print } from './context.ts';
import { type DataFlags, dataCommand, datasetJson, datasetName, folderOf } from './data-command.ts';
import { utc } from './values.ts';

const { checkData, FAULT_MEANINGS, isFault } = await rooms.history();

/** Places that are shown of a fault; with --json all that were kept. */
const PLACES_SHOWN = 5;

interface CheckFlags extends DataFlags {
  readonly strict?: boolean;
  readonly places: number;
}

/** `tradewind data check`: what is wrong with datasets. */
export function addCheck(group: Command, context: CommandContext): void {
  dataCommand(group, {
    name: 'check',
    description: 'look for gaps, duplicates, half-formed candles and other faults',
    examples: ['data check', 'data check binance.btc_usdt.1min --strict'],
  })
    .argument('[datasets...]', 'default: all', collectName)
    .option(
      '--places <count>',
      'how many places to show of a fault',
      wholeNumber(1, 100),
      PLACES_SHOWN,
    )
    .option('--strict', `end with code ${EXIT_CODES.recording} where a fault is found`)
    .action(async (ids: string[], flags: CheckFlags, command: Command) => {
      const folder = folderOf(command);
      await interruptible(async (signal) => {
        const reports = await checkData(folder, ids, { signal });
        print(context, flags, found(reports, { paint: context.paint, places: flags.places }));
        const isFaulty = reports.some(({ findings }) => findings.some(isFault));
        if (flags.strict === true && isFaulty) context.exitWith(EXIT_CODES.recording);
      });
    });
}

function found(reports: readonly CheckReport[], looks: Looks) {
  const lines = reports.flatMap((report) => reportLines(report, looks));
  return {
    json: reports.map(reportJson),
    lines: reports.length === 0 ? ['(no datasets)'] : lines,
  };
}

function collectName(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), datasetName(text)];
}

function reportJson({ dataset, coverage, comparedWith, findings }: CheckReport) {
  return {
    ...datasetJson(dataset),
    coverage: coverage ?? null,
    comparedWith,
    faults: findings.filter(isFault).map(findingJson),
    notes: findings.filter((one) => !isFault(one)).map(findingJson),
  };
}

function findingJson({ fault, count, places }: Finding) {
  return {
    ...{ fault, count },
    places: places.map(({ time, detail }) => ({ time: utc(time), detail })),
  };
}

interface Looks {
  readonly paint: Paint;
  readonly places: number;
}

function reportLines({ dataset, coverage, comparedWith, findings }: CheckReport, looks: Looks) {
  const share = coverage === undefined ? [] : [`${percentOf(coverage)} covered`];
  const against = comparedWith.length === 0 ? [] : [`compared with ${comparedWith.join(', ')}`];
  const facts = [counted(dataset.rows, 'row'), ...share, ...against].join(', ');
  const verdict = !findings.some(isFault) ? [looks.paint('good', '  no fault found')] : [];
  const found = findings.flatMap((one) => findingLines(one, looks));
  return [`${looks.paint('strong', dataset.id)}: ${facts}`, ...verdict, ...found];
}

function findingLines(one: Finding, { paint, places: shown }: Looks): string[] {
  const { fault, count, places } = one;
  const more = places.length > shown ? ['    ...'] : [];
  return [
    `  ${paint(isFault(one) ? 'bad' : 'quiet', fault)} (${formatNumber(count, 0)}): ${FAULT_MEANINGS[fault]}`,
    ...places.slice(0, shown).map(({ time, detail }) => `    ${utc(time)}  ${printable(detail)}`),
    ...more,
  ];
}

/** Cut, not rounded: 100 % is said only where nothing is missing. */
function percentOf(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}
