import type { Command } from 'commander';
import {
  type Difference,
  EXIT_CODES,
  printable,
  type ReplayReport,
  rooms,
} from '../../app/index.ts';
import { wholeNumber } from '../arguments.ts';
import { counted, formatNumber } from '../format.ts';
import type { Paint } from '../style.ts';
import { watched } from '../watchdog.ts';
import { type CommandContext, type CommonFlags, examplesText, print } from './context.ts';
import { countedKind, inputText } from './event-text.ts';
import { decisionText } from './intent-text.ts';
import { utc } from './values.ts';

const { replayRun } = await rooms.replay();

/** How many differences are shown by default. */
const LIMIT = 10;

interface ReplayFlags extends CommonFlags {
  readonly run?: number;
  readonly config?: string;
  readonly limit: number;
}

/** `tradewind replay`: whether the strategies of a recorded run decide as they did. */
export function defineReplay(command: Command, context: CommandContext): void {
  const count = wholeNumber(1, Number.MAX_SAFE_INTEGER);
  command
    .argument('<journal>', 'such as var/demo.journal')
    .option('--run <number>', 'which of its runs (default: the newest)', count)
    .option('--config <file>', 'the deployment whose strategies play (default: as recorded)')
    .option('--limit <count>', 'how many differences to show', count, LIMIT)
    .option('--json', 'one JSON document, for programs')
    .addHelpText('after', `\nEnds with code ${EXIT_CODES.different} where something differs.`)
    .addHelpText(
      'after',
      examplesText([
        'replay var/demo.journal',
        'replay var/demo.journal --run 1 --config config/demo.yaml --limit 3',
      ]),
    )
    .action(async (path: string, flags: ReplayFlags) => {
      const { run, config: configFile, limit } = flags;
      const report = await watched(() => replayRun({ path, limit, run, configFile }));
      const lines = reportLines(report, context.paint);
      print(context, flags, { json: reportJson(report), lines });
      if (report.differenceCount > 0) context.exitWith(EXIT_CODES.different);
    });
}

function reportLines(report: ReplayReport, paint: Paint): string[] {
  const { path, run, seed, inputs, recorded, replayed, same, differences } = report;
  const kinds = Array.from(inputs, ([kind, count]) => countedKind(kind, count));
  return [
    `${paint('strong', `${path}, run ${run.id}`)} of ${utc(run.started)}, seed ${printable(seed)}`,
    `strategies  ${configText(report)}`,
    `given       ${kinds.join(', ') || 'nothing'}`,
    `decisions   ${whole(recorded)} recorded, ${whole(replayed)} replayed, ${whole(same)} the same`,
    ...lostText(report),
    ...differences.flatMap((difference, at) => differenceLines(difference, { at, paint })),
    verdict(report, paint),
  ];
}

const whole = (count: number): string => formatNumber(count, 0);

function configText({ config, run }: ReplayReport): string {
  if (config.hash === run.configHash) return `of ${config.file}, settings as recorded`;
  const [played, recorded] = [config.hash, run.configHash].map((hash) => hash.slice(0, 12));
  return `of ${config.file}, whose settings DIFFER from the recorded ones (${played}, recorded ${recorded})`;
}

function lostText({ lostTimers }: ReplayReport): string[] {
  if (lostTimers === 0) return [];
  return [
    `timers      ${whole(lostTimers)} fired in the recording, but no strategy set them in the replay`,
  ];
}

function differenceLines(
  { strategy, kind, recorded, replayed }: Difference,
  { at, paint }: { readonly at: number; readonly paint: Paint },
): string[] {
  const made = (recorded ?? replayed)!;
  const place = recorded?.sequence === undefined ? '' : `#${recorded.sequence} `;
  const input = (replayed ?? recorded)!.input;
  return [
    '',
    `${at + 1}. ${paint('bad', kind)} ${place}${utc(made.time)} ${printable(strategy)}`,
    `   given     ${input === undefined ? 'nothing yet' : inputText(input)}`,
    `   recorded  ${recorded === undefined ? '-' : decisionText(recorded.decision)}`,
    `   replayed  ${replayed === undefined ? '-' : decisionText(replayed.decision)}`,
  ];
}

function verdict({ differenceCount, differences, recorded }: ReplayReport, paint: Paint): string {
  if (differenceCount > 0) {
    const more = differenceCount - differences.length;
    const rest = more === 0 ? '' : `, ${whole(more)} more than shown (--limit)`;
    return `\n${paint('bad', counted(differenceCount, 'difference'))}${rest}`;
  }
  return recorded === 0
    ? 'no decision was recorded, and none was made'
    : paint('good', 'every decision came out as recorded');
}

function reportJson(report: ReplayReport) {
  const { path, run, seed, config, inputs, differences, ...counts } = report;
  return {
    ...{ journal: path, run: run.id, started: utc(run.started), seed },
    config: { ...config, isAsRecorded: config.hash === run.configHash },
    given: Object.fromEntries(inputs),
    ...counts,
    differences: differences.map(({ strategy, kind, recorded, replayed }) => ({
      ...{ strategy, kind },
      recorded: recorded === undefined ? null : madeJson(recorded),
      replayed: replayed === undefined ? null : madeJson(replayed),
    })),
  };
}

function madeJson({ sequence, time, decision, input }: NonNullable<Difference['recorded']>) {
  return { sequence, time: utc(time), decision, given: input ?? null };
}
