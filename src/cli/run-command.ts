import type { Command } from 'commander';
import { EXIT_CODES, rooms, type Session, type Summary } from '../app/index.ts';
import { settingsOption } from './arguments.ts';
import { duration } from './lengths.ts';
import { type Output, openOutput } from './output.ts';
import { quit, quitOnceTold } from './quit.ts';
import { statusBlock } from './status-block.ts';
import { runSignals, stopWishes, uncaught } from './stop-requests.ts';
import { terminalWidth } from './style.ts';
import { summaryJson } from './summary-json.ts';
import { summaryLines } from './summary-lines.ts';
import { whenUnread } from './unread.ts';
import { UNHURRIED, watchLoop } from './watchdog.ts';
import { printed } from './wrap.ts';

const { runDeployment } = await rooms.run();

/** How often the status block is drawn. */
const REFRESH_MS = 250;

const HELP = `
Ctrl-C cancels all orders, verifies it and ends. A second one tells what is waited for, a third quits.

Examples:
  tradewind run config/demo.yaml --for 30s
  tradewind run config/demo.yaml --virtual --for 1h --seed other
  tradewind run my/live.yaml --resume
  tradewind run config/demo.yaml --set strategies.market-maker.params.spread=0.001`;

interface RunFlags {
  readonly for?: number;
  readonly virtual?: boolean;
  readonly seed?: string;
  readonly set?: readonly string[];
  readonly resume?: boolean;
}

/** `tradewind run`: runs a deployment. */
export function defineRun(command: Command): void {
  command
    .argument('<config>', 'the deployment, such as config/demo.yaml')
    .option('--for <time>', 'stop by itself after this time, such as 30s or 2h', duration)
    .option('--virtual', 'on virtual time, as fast as possible (simulated venue; needs --for)')
    .option('--seed <text>', "seed of all randomness, in place of the file's")
    .addOption(settingsOption())
    .option('--resume', 'trade again although an earlier run was halted by a limit')
    .addHelpText('after', HELP)
    .action(runCommand);
}

/** Runs a deployment, shows how it goes, and tells what it came to. */
async function runCommand(file: string, flags: RunFlags): Promise<void> {
  const output = openOutput();
  const { for: durationMs, ...others } = flags;
  let session: Session | undefined;
  let endDisplay = (): void => {};
  // Until the session is open no order rests, and reading a long journal may take a while.
  let endWatch = watchLoop(UNHURRIED);
  const quitNow = (opened: Session): void => {
    output.settle();
    endDisplay();
    const summary = opened.quitSummary('a third signal asked for it, ahead of the end of its stop');
    tellEnd(summary, output);
    quitOnceTold(EXIT_CODES[summary.outcome]);
  };
  const impatience = runSignals.subscribe(insist({ output, session: () => session, quitNow }));
  let summary: Summary;
  try {
    summary = await runDeployment({
      ...others,
      durationMs,
      file,
      log: output.log,
      stop: stopWishes,
      uncaught,
      onOpen: (opened) => {
        session = opened;
        endDisplay = display(opened, { output, durationMs });
        if (others.virtual) return;
        endWatch();
        endWatch = watchLoop();
      },
    });
  } finally {
    output.settle();
    endDisplay();
    endWatch();
    impatience.unsubscribe();
  }
  tellEnd(summary, output);
  process.exitCode = EXIT_CODES[summary.outcome];
}

/** Prints the summary, which names what may still rest: to standard error if nobody reads. */
function tellEnd(summary: Summary, { log }: Output): void {
  // Plain text among JSON lines would break programs that read them, even if the log is silent.
  const isText = log.isTerminal || summary.logFormat === 'pretty';
  const width = terminalWidth(isText ? process.stdout : process.stderr);
  const text = printed(summaryLines(summary), width);
  // A supervisor restarts the process only once it has ended: it must not wait for a reader for
  // ever.
  const callOff = whenUnread(process.stdout, () => {
    process.stderr.write(`tradewind: nobody reads the output, its end goes here\n${text}`);
    quit(EXIT_CODES[summary.outcome]);
  });
  process.stdout.write(isText ? text : `${summaryJson(summary)}\n`, (error) => {
    callOff();
    // Behind a pipe, as with `| tee`, a person may watch standard error.
    if (error || (!isText && process.stderr.isTTY)) process.stderr.write(text);
  });
}

/** Draws the status block now and then. Returns a function that ends it. */
function display(
  session: Session,
  { output, durationMs }: { output: Output; durationMs: number | undefined },
): () => void {
  const { screen, paint } = output;
  if (screen === undefined) return () => {};
  const block = ({ isOver, rows }: { isOver: boolean; rows: number }): string[] => {
    const { name, venue, runningMs, isStopping } = session;
    const heading = { name, venue, runningMs, durationMs, isStopping, isOver };
    const size = { columns: screen.room.columns, rows };
    return statusBlock(heading, { status: session.status(), paint, size });
  };
  const now = (): string[] => block({ isOver: false, rows: screen.room.rows });
  const draw = (): void => screen.draw(now());
  draw();
  // A stop may be over before the next drawing: each line it prints redraws the block as of now.
  screen.renewBy(() => (session.isStopping ? now() : undefined));
  const timer = setInterval(draw, REFRESH_MS);
  process.stdout.on('resize', draw);
  return () => {
    clearInterval(timer);
    process.stdout.off('resize', draw);
    // The last block may be higher than the terminal: nothing is redrawn after it.
    screen.close(block({ isOver: true, rows: Infinity }));
  };
}

interface Impatience {
  readonly output: Output;
  /** Undefined until the session is open. */
  readonly session: () => Session | undefined;
  readonly quitNow: (session: Session) => void;
}

/** The answers to the first, second and third signal. Until a run is open it has placed nothing. */
const OPENED = [
  'stopping: cancelling all orders and verifying that none is left…',
  'still cancelling and verifying; once more quits without that',
  'quit unverified: the timed cancel removes what rests, 60 s after the last heartbeat',
] as const;
const UNOPENED = [
  'stopping: nothing is open yet, and this run has placed no order',
  'still waiting for what is being opened; once more quits at once',
  'quit: this run has placed no order; what an earlier one left was not looked at',
] as const;

/** The first signal stops in order, the second says what the wait is for, the third gives up. */
function insist({ output, session, quitNow }: Impatience): () => void {
  const { log } = output;
  let signals = 0;
  return () => {
    const opened = session();
    const text = (opened === undefined ? UNOPENED : OPENED)[signals++];
    if (text === undefined) return;
    // A pipe may hold one JSON object a line: what is meant for people goes beside it.
    if (log.isTerminal) log.write(`${text}\n`);
    else process.stderr.write(`tradewind: ${text}\n`);
    if (signals < OPENED.length) return;
    if (opened === undefined) quit(EXIT_CODES.unverified);
    quitNow(opened);
  };
}
