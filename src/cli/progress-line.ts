import { canDraw, clip } from './style.ts';

/** Between two lines in a pipe, milliseconds. */
const CALM_MS = 10_000;
/** Between two drawings on a terminal, milliseconds. */
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/** Where progress is told: standard error, or a test. */
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

/** A terminal sees it at once; a command that is over soon says nothing in a pipe. */
const FIRST: FirstLine = { drawnMs: 0, pipedMs: CALM_MS };

/** One line that tells how far a command is: drawn in place on a terminal, now and then in a pipe. */
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

  /** `text`: the line in so many columns, of which a terminal alone has some. */
  show(text: (columns: number) => string): void {
    if (this.#nowMs() - this.#toldMs < this.#pauseMs) return;
    this.#toldMs = this.#nowMs();
    // A terminal without a size tells none, or 0.
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

  /** Takes the line away: what the command found follows. */
  close(): void {
    if (this.#isDrawn) this.#stream.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}
