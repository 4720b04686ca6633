import type { Progress } from '../app/index.ts';
import { formatDuration, formatNumber } from './format.ts';
import { canDraw, clip, type Paint, paintFor } from './style.ts';

/** Least time between two drawings, on a terminal and in a pipe; the first one there. */
const DRAW_MS = 100;
const LINE_MS = 10_000;
const FIRST_LINE_MS = 2_000;
const BAR_WIDTH = 30;
const BAR_WIDTH_MIN = 5;

/** Where it is shown: a pipe takes the result alone. */
const STREAM = process.stdout.isTTY ? process.stdout : process.stderr;

/** Shows how far a replay is: a bar on a terminal, a calm line now and then beside a pipe. */
export class BacktestDisplay {
  readonly #stream: NodeJS.WriteStream;
  readonly #paint: Paint;
  readonly #canDraw: boolean;
  readonly #startedMs = performance.now();
  #shownMs: number;
  #isDrawn = false;

  /** @param stream Default: standard output where that is a terminal, else standard error. */
  constructor(stream: NodeJS.WriteStream = STREAM) {
    this.#stream = stream;
    this.#paint = paintFor(stream);
    this.#canDraw = canDraw(stream);
    this.#shownMs = this.#startedMs - (this.#canDraw ? 0 : LINE_MS - FIRST_LINE_MS);
  }

  show(progress: Progress): void {
    const nowMs = performance.now();
    const pauseMs = this.#canDraw ? DRAW_MS : LINE_MS;
    if (nowMs - this.#shownMs < pauseMs) return;
    this.#shownMs = nowMs;
    const elapsedMs = nowMs - this.#startedMs;
    // A terminal alone has columns: one without a size is as wide as most.
    const columns = this.#canDraw ? this.#stream.columns || 80 : Number.POSITIVE_INFINITY;
    const line = progressLine(progress, { elapsedMs, columns, paint: this.#paint });
    this.#stream.write(this.#canDraw ? `\r\u001b[2K${line}` : `${line}\n`);
    this.#isDrawn = this.#canDraw;
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#isDrawn) this.#stream.write('\r\u001b[2K');
    this.#isDrawn = false;
  }
}

interface Drawing {
  readonly elapsedMs: number;
  /** How wide the line may be: a wider one would not be drawn in place. */
  readonly columns: number;
  readonly paint: Paint;
}

/** How far it is, how fast it goes and how long it takes yet. The bar gives way to the figures. */
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
  const barWidth = Math.min(BAR_WIDTH, columns - figures.length);
  if (barWidth < BAR_WIDTH_MIN) return clip(figures.trimStart(), columns);
  const full = Math.round(share * barWidth);
  return '█'.repeat(full) + paint('quiet', '░'.repeat(barWidth - full)) + figures;
}
