import type { Terminal } from '../../src/cli/screen.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal reads
const TOKEN = /\u001b\[(\??)(\d*)([A-Za-z])|\n|\r|[^\u001b\n\r]/g;

/** A terminal as far as the screen uses one: text that wraps and scrolls, and a few sequences. */
export class FakeTerminal implements Terminal {
  readonly #columns: number;
  readonly #rows: number;
  #lines: string[] = [''];
  #row = 0;
  #column = 0;
  cursorVisible = true;
  standsStill = false;

  constructor({ columns = 80, rows = 24 } = {}) {
    this.#columns = columns;
    this.#rows = rows;
  }

  size() {
    return { columns: this.#columns, rows: this.#rows };
  }

  readonly isBehind = (): boolean => this.standsStill;

  /** Every line there ever was, scrolled away or not. */
  get text(): string {
    return this.#lines.join('\n').trimEnd();
  }

  write(text: string): void {
    for (const match of text.matchAll(TOKEN)) {
      const [token, isPrivate, count, command] = match;
      if (command !== undefined) this.#control(command, { isPrivate: isPrivate === '?', count });
      else if (token === '\n') this.#down();
      else if (token === '\r') this.#column = 0;
      else this.#put(token);
    }
  }

  #control(command: string, parts: { isPrivate: boolean; count: string | undefined }): void {
    const { isPrivate, count } = parts;
    if (isPrivate && count === '25') this.cursorVisible = command === 'h';
    if (isPrivate) return;
    if (command === 'A') this.#row = Math.max(this.#top, this.#row - Number(count || 1));
    if (command === 'K') this.#lines[this.#row] = '';
    if (command === 'J') {
      this.#lines.length = this.#row + 1;
      this.#lines[this.#row] = this.#lines[this.#row]!.slice(0, this.#column);
    }
  }

  /** The first line that has not scrolled away: nothing above it can be reached. */
  get #top(): number {
    return Math.max(0, this.#lines.length - this.#rows);
  }

  #put(character: string): void {
    if (this.#column === this.#columns) this.#down();
    const line = this.#lines[this.#row]!.padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column++;
  }

  #down(): void {
    this.#column = 0;
    this.#row++;
    if (this.#row === this.#lines.length) this.#lines.push('');
  }
}
