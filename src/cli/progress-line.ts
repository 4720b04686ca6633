import { canDraw, clip } from './style.ts';

/** Between two lines in a pipe, milliseconds. */
const CALM_MS = 10_000;
/** Between two drawings on a terminal, milliseconds. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/** Where progress is written, such as standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** When the first line comes, on a terminal and in a pipe, milliseconds. */
interface FirstLine {
  readonly drawnMs: number;
  readonly pipedMs: number;
}

/** A terminal shows it at once; in a pipe, a command that is soon over shows nothing. */
const FIRST: FirstLine = { drawnMs: 0, pipedMs: CALM_MS };

/** A line of progress: redrawn in place on a terminal, written now and then in a pipe. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #nowMs: () => number;
  readonly #canDraw: boolean;
  readonly #pauseMs: number;
  #toldMs: number;
  #isDrawn = false;

  /** `nowMs`: milliseconds from any origin. */
  constructor(stream: ProgressStream, nowMs: () => number, { drawnMs, pipedMs } = FIRST) {
    this.#stream = stream;
    this.#nowMs = nowMs;
    this.#canDraw = canDraw(stream);
    this.#pauseMs = this.#canDraw ? REDRAW_MS : CALM_MS;
    this.#toldMs = nowMs() - this.#pauseMs + (this.#canDraw ? drawnMs : pipedMs);
  }

  /** `text` gives the line for a width in columns, which is infinite in a pipe. */
  show(text: (columns: number) => string): void {
    if (this.#nowMs() - this.#toldMs < this.#pauseMs) return;
    this.#toldMs = this.#nowMs();
    // A terminal of unknown size reports undefined or 0.
    const columns = this.#canDraw ? this.#stream.columns || 80 : Number.POSITIVE_INFINITY;
    const line = clip(text(columns), columns);
    this.#stream.write(this.#canDraw ? CLEAR_LINE + line : `${line}\n`);
    this.#isDrawn = this.#canDraw;
  }

  /** Writes a line that stays. */
  print(text: string): void {
    this.#isDrawn = false;
    this.#stream.write(this.#canDraw ? `${CLEAR_LINE}${text}\n` : `${text}\n`);
  }

  /** Clears the line before the command's findings are printed. */
  close(): void {
    if (this.#isDrawn) this.#stream.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}
