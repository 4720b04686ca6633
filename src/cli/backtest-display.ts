import type { Progress } from '../app/index.ts';
import { formatDuration, formatNumber } from './format.ts';
import { ProgressLine } from './progress-line.ts';
import { clip, type Paint, paintFor } from './style.ts';

/** When the first line is shown, milliseconds: a shorter replay shows none. */
const FIRST = { drawnMs: 100, pipedMs: 2_000 };
const BAR_WIDTH = 30;
const BAR_WIDTH_MIN = 5;

/** Where progress is shown: a piped standard output takes the result alone. */
const STREAM = process.stdout.isTTY ? process.stdout : process.stderr;

/** Shows how far a replay is: a bar on a terminal, else a plain line now and then. */
export class BacktestDisplay {
  readonly #startedMs = performance.now();
  readonly #line = new ProgressLine(STREAM, () => performance.now(), FIRST);
  readonly #paint = paintFor(STREAM);

  show(progress: Progress): void {
    this.#line.show((columns) => {
      const elapsedMs = performance.now() - this.#startedMs;
      return progressLine(progress, { elapsedMs, columns, paint: this.#paint });
    });
  }

  /** Takes the bar away. */
  end(): void {
    this.#line.close();
  }
}

interface Drawing {
  readonly elapsedMs: number;
  /** The widest line that can be redrawn in place; infinite where lines are not redrawn. */
  readonly columns: number;
  readonly paint: Paint;
}

/**
 * A replay's progress, its speed and the time left. The bar shrinks to leave room for the figures,
 * and is drawn on a terminal only.
 */
export function progressLine(
  { rows, timeMs, period }: Progress,
  { elapsedMs, columns, paint }: Drawing,
): string {
  const { warmFromMs, toMs } = period;
  const share = Math.min(1, Math.max(0, (timeMs - warmFromMs) / (toMs - warmFromMs)));
  const rate = formatNumber((rows / elapsedMs) * 1_000, 0);
  const left = share > 0 ? formatDuration((elapsedMs / share) * (1 - share)) : '--:--';
  const day = new Date(timeMs).toISOString().slice(0, 10);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const figures = ` ${percent}  ${day}  ${rate} events/s  ${left} left`;
  if (columns === Number.POSITIVE_INFINITY) return figures.trimStart();
  const barWidth = Math.min(BAR_WIDTH, columns - figures.length);
  if (barWidth < BAR_WIDTH_MIN) return clip(figures.trimStart(), columns);
  const full = Math.round(share * barWidth);
  return '█'.repeat(full) + paint('quiet', '░'.repeat(barWidth - full)) + figures;
}
