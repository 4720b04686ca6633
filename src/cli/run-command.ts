import { EXIT_CODES, runDeployment, type Session, type Summary } from '../app/index.ts';
import { type Output, openOutput } from './output.ts';
import { statusBlock } from './status-block.ts';
import { stopRequests, stopSignals } from './stop-requests.ts';
import { summaryLines } from './summary-lines.ts';

/** How often the status block is drawn. */
const REFRESH_MS = 250;

interface RunFlags {
  readonly for?: number;
  readonly virtual?: boolean;
  readonly seed?: string;
  readonly resume?: boolean;
}

/** `tradewind run`: runs a deployment, shows how it goes, and tells what it came to. */
export async function runCommand(file: string, flags: RunFlags): Promise<void> {
  const output = openOutput();
  const { for: durationMs, ...others } = flags;
  const impatience = stopSignals.subscribe(insist(output));
  let endDisplay = (): void => {};
  let summary: Summary;
  try {
    summary = await runDeployment({
      ...others,
      ...(durationMs === undefined ? {} : { durationMs }),
      file,
      log: output.log,
      stop: stopRequests,
      onOpen: (session) => {
        endDisplay = display(session, { output, durationMs });
      },
    });
  } finally {
    endDisplay();
    impatience.unsubscribe();
  }
  process.stdout.write(`${summaryLines(summary).join('\n')}\n`);
  process.exitCode = EXIT_CODES[summary.outcome];
}

/** Draws the status block now and then; answers with what ends it. */
function display(
  session: Session,
  { output, durationMs }: { output: Output; durationMs: number | undefined },
): () => void {
  const { screen, paint } = output;
  if (screen === undefined) return () => {};
  const draw = (): void => {
    const { name, venue, runningMs } = session;
    const remainingMs = durationMs === undefined ? undefined : Math.max(0, durationMs - runningMs);
    const heading = { name, venue, runningMs, remainingMs };
    screen.draw(statusBlock(heading, { status: session.status(), paint }));
  };
  draw();
  const timer = setInterval(draw, REFRESH_MS);
  process.stdout.on('resize', draw);
  return () => {
    clearInterval(timer);
    process.stdout.off('resize', draw);
    draw();
    screen.close();
  };
}

/** The first signal stops in order, the second says what the wait is for, the third gives up. */
function insist({ log }: Output): () => void {
  let signals = 0;
  const say = (text: string): void => {
    // A pipe may hold one JSON object a line: what is meant for people goes beside it.
    if (log.isTerminal) log.write(`${text}\n`);
    else process.stderr.write(`tradewind: ${text}\n`);
  };
  return () => {
    signals++;
    if (signals === 1) say('stopping: cancelling all orders and verifying that none is left…');
    if (signals === 2) say('still cancelling and verifying; once more quits without that');
    if (signals < 3) return;
    say('quit unverified: the timed cancel removes what rests, 60 s after the last heartbeat');
    process.exit(EXIT_CODES.unverified);
  };
}
