import { map } from 'rxjs';
import { EXIT_CODES, runDeployment, type Session, type Summary } from '../app/index.ts';
import { type Output, openOutput } from './output.ts';
import { stopSignals } from './signals.ts';
import { statusBlock } from './status-block.ts';
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
      stop: stopSignals.pipe(map((signal) => `${signal} asked for it`)),
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
  const { screen } = output;
  if (screen === undefined) return () => {};
  const draw = (): void => {
    const { name, venue, runningMs } = session;
    const remainingMs = durationMs === undefined ? undefined : Math.max(0, durationMs - runningMs);
    screen.draw(statusBlock({ name, venue, runningMs, remainingMs }, session.status()));
  };
  draw();
  const timer = setInterval(draw, REFRESH_MS);
  return () => {
    clearInterval(timer);
    screen.close();
  };
}

/** The first signal stops in order, the second says what the wait is for, the third gives up. */
function insist({ log }: Output): () => void {
  let signals = 0;
  return () => {
    signals++;
    if (signals === 1) log.write('stopping: cancelling and verifying all orders\n');
    if (signals === 2) log.write('still verifying; once more to quit without it\n');
    if (signals < 3) return;
    process.stderr.write(
      'tradewind: quit unverified; the timed cancel removes what rests ' +
        'at most 60 s after the last heartbeat\n',
    );
    process.exit(EXIT_CODES.unverified);
  };
}
