import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type BacktestChoices,
  EXIT_CODES,
  type FinishedRun,
  type Progress,
  printable,
  rooms,
} from '../../app/index.ts';
import { folder, settingsOption, wholeNumber } from '../arguments.ts';
import { BacktestDisplay } from '../backtest-display.ts';
import { writeFindings } from '../findings-output.ts';
import { counted, formatNumber } from '../format.ts';
import { interruptible } from '../interruptible.ts';
import { stopWishes } from '../stop-requests.ts';
import { StrayErrors } from '../stray-errors.ts';
import { watched } from '../watchdog.ts';
import { printed } from '../wrap.ts';
import { type CheckFlags, isCheck, runChecks } from './backtest-checks.ts';
import { examplesText } from './context.ts';
import { momentText } from './values.ts';

const { finishRun, loadBacktest } = await rooms.backtest();

interface BacktestFlags extends CheckFlags {
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly data?: string;
  readonly seed?: string;
  readonly set?: readonly string[];
  readonly report: boolean;
}

/** `tradewind backtest`: replays history through a deployment. */
export function defineBacktest(command: Command): void {
  command
    .argument('<config>', 'a deployment with a section backtest, such as config/backtest.yaml')
    .option('--from <moment>', "beginning, in place of the file's, such as 2021-05-01", momentText)
    .option('--to <moment>', "end, not included, in place of the file's", momentText)
    .addOption(
      new Option('--out <folder>', 'where the run is written (default: a new folder below runs)')
        .argParser(folder)
        .conflicts(CHECKS),
    )
    .addOption(new Option('--force', 'let the run replace one in that folder').conflicts(CHECKS))
    .option('--data <folder>', "the folder of all datasets, in place of the file's", folder)
    .option('--seed <text>', "seed of all randomness, in place of the file's")
    .addOption(settingsOption())
    .addOption(new Option('--no-report', 'write no report.html').conflicts(CHECKS))
    .option(
      '--check-lookahead [cuts]',
      'look for look-ahead, in place of a run: do decisions change where the data are cut off?',
      timesOf('--check-lookahead', 1_000),
    )
    .option(
      '--check-warmup [starts]',
      'find how long a warm-up the strategies need, in place of a run',
      timesOf('--check-warmup', 20),
    )
    .addHelpText('after', HELP)
    .action(backtestCommand);
}

/**
 * Parses an option's number, which may be left out: then a file behind the option is taken for it.
 */
function timesOf(option: string, most: number): (text: string) => number {
  const read = wholeNumber(1, most);
  return (text) => {
    if (!/\.ya?ml$/.test(text)) return read(text);
    throw new InvalidArgumentError(`the file ahead of ${option} is wanted.`);
  };
}

/** The checks conflict with options about output: they run many backtests and write nothing. */
const CHECKS = ['checkLookahead', 'checkWarmup'];

const HELP = `
Ctrl-C ends the replay: what was done until then is measured, written and marked as stopped.
${examplesText([
  'backtest config/backtest.yaml',
  'backtest my/bot.yaml --from 2021-05-01 --to 2021-06-01 --out runs/may',
  'backtest config/backtest.yaml --set strategies.ema-cross.params.fast=10',
])}`;

function backtestCommand(file: string, flags: BacktestFlags): Promise<void> {
  return interruptible((signal) =>
    watched(() => replay(file, { ...flags, isGoing: () => !signal.aborted })),
  );
}

async function replay(
  file: string,
  { isGoing, ...flags }: BacktestFlags & { readonly isGoing: () => boolean },
): Promise<void> {
  const { report, data, out, force, checkLookahead, checkWarmup, ...choices } = flags;
  const wanted: BacktestChoices = { ...choices, dataFolder: data, ...(!report && { report }) };
  const deployment = loadBacktest(file, wanted);
  const display = new BacktestDisplay();
  try {
    if (isCheck(flags)) return await runChecks(deployment, { ...flags, isGoing });
    const strays = new StrayErrors(deployment);
    const onProgress = (progress: Progress): boolean => {
      display.show(progress);
      return isGoing() && !strays.hasCome;
    };
    const run = await strays.heardIn(() =>
      finishRun({ deployment, onProgress, out, force, stop: stopWishes }),
    );
    display.end();
    writeFindings(printed(runLines(run)));
    const isOver = run.status.strategies.every(({ status }) => ENDINGS.has(status));
    process.exitCode = EXIT_CODES[isOver ? 'strategy' : 'success'];
    strays.tell();
  } finally {
    display.end();
  }
}

/** The statuses of a strategy that ended by itself. */
const ENDINGS: ReadonlySet<string> = new Set(['failed', 'ended']);

/** What a run came to, for people. */
function runLines({ table, notes, folder, rows, playMs, hash }: FinishedRun): string[] {
  const rate = formatNumber((rows / Math.max(1, playMs)) * 1_000, 0);
  return [
    // They may quote an error that a strategy threw.
    ...[table, ...notes].flatMap((text) => text.split('\n')).map(printable),
    `${counted(rows, 'event')} replayed in ${(playMs / 1_000).toFixed(2)} s, ${rate} a second`,
    `journal hash ${hash}`,
    folder,
  ];
}
