import type { Writable } from 'node:stream';

const ERASE_BELOW = '\u001b[0J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** A terminal whose last lines are a block that is redrawn in place, with log lines above it. */
export class Screen {
  readonly #out: Writable;
  readonly #width: () => number;
  #lines: readonly string[] = [];
  #drawn = 0;

  /** `width`: the terminal's columns now; longer lines are cut so that the block keeps its height. */
  constructor(out: Writable, width: () => number) {
    this.#out = out;
    this.#width = width;
  }

  /** Replaces the block. */
  draw(lines: readonly string[]): void {
    this.#lines = lines;
    this.#out.write(`${HIDE_CURSOR}${this.#erase()}${this.#block()}`);
  }

  /** Writes text above the block; it scrolls away as usual. */
  print(text: string): void {
    this.#out.write(`${this.#erase()}${text}${text.endsWith('\n') ? '' : '\n'}${this.#block()}`);
  }

  /** Leaves the block where it is and gives the cursor back. */
  close(): void {
    this.#drawn = 0;
    this.#lines = [];
    this.#out.write(SHOW_CURSOR);
  }

  #erase(): string {
    return this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\r${ERASE_BELOW}`;
  }

  #block(): string {
    const width = this.#width();
    this.#drawn = this.#lines.length;
    return this.#lines.map((line) => `${line.slice(0, width)}\n`).join('');
  }
}
