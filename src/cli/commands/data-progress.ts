import { canDraw, clip } from '../style.ts';

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

/** One line that tells how far a command is: drawn in place on a terminal, now and then in a pipe. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #nowMs: () => number;
  readonly #canDraw: boolean;
  #toldMs: number;
  #isDrawn = false;

  /** `nowMs`: milliseconds from any origin. */
  constructor(stream: ProgressStream, nowMs: () => number) {
    this.#stream = stream;
    this.#nowMs = nowMs;
    // A command that is over soon says nothing in a pipe; a terminal sees the first line at once.
    this.#canDraw = canDraw(stream);
    this.#toldMs = this.#canDraw ? Number.NEGATIVE_INFINITY : nowMs();
  }

  show(text: string): void {
    // A terminal without a size tells none, or 0.
    const columns = this.#stream.columns || 80;
    if (this.#nowMs() - this.#toldMs < (this.#canDraw ? REDRAW_MS : CALM_MS)) return;
    this.#toldMs = this.#nowMs();
    this.#isDrawn = true;
    this.#stream.write(this.#canDraw ? `${CLEAR_LINE}${clip(text, columns)}` : `${text}\n`);
  }

  /** Writes a line that stays. */
  print(text: string): void {
    this.#isDrawn = false;
    this.#stream.write(this.#canDraw ? `${CLEAR_LINE}${text}\n` : `${text}\n`);
  }

  /** Takes the line away: what the command found follows. */
  close(): void {
    if (this.#canDraw && this.#isDrawn) this.#stream.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}
