import { clip, widthOf } from './style.ts';

const CLEAR_LINE = '\u001b[2K';
const CLEAR_BELOW = '\u001b[0J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** Between these a terminal that knows them shows nothing half-drawn. Source: DEC mode 2026. */
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';

/** What a screen writes to: a terminal and its present size. */
export interface Terminal {
  write(text: string): void;
  /** Columns and rows now. */
  size(): { readonly columns: number; readonly rows: number };
  /** Whether it stands still, with what was written before. */
  readonly isBehind: () => boolean;
}

/** A terminal whose last lines are a block that is redrawn in place, with log lines above it. */
export class Screen {
  readonly #terminal: Terminal;
  #lines: readonly string[] = [];
  /** What the block is by now; undefined: as it was drawn. */
  #renewed: () => readonly string[] | undefined = () => undefined;
  /** As they stand on the terminal. */
  #drawn: readonly string[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The room that a block has; the row below it is the cursor's. */
  get room(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.#terminal.size();
    return { columns, rows: rows - 1 };
  }

  /** Replaces the block: each line is overwritten where it stands, so that nothing flickers. */
  draw(lines: readonly string[]): void {
    this.#lines = lines;
    // What nobody sees need not be kept.
    if (this.#terminal.isBehind()) return;
    this.#terminal.write(`${BEGIN_UPDATE}${HIDE_CURSOR}${this.#up()}${this.#block()}${END_UPDATE}`);
  }

  /** Asks with each text above the block what it is by now; undefined leaves it as it was drawn. */
  renewBy(lines: () => readonly string[] | undefined): void {
    this.#renewed = lines;
  }

  /** Writes text above the block; it scrolls away as usual. */
  print(text: string): void {
    const above = text.endsWith('\n') ? text : `${text}\n`;
    const up = this.#up();
    const isBehind = this.#terminal.isBehind();
    if (!isBehind) this.#lines = this.#renewed() ?? this.#lines;
    const block = isBehind ? this.#none() : this.#block();
    this.#terminal.write(`${BEGIN_UPDATE}${up}${CLEAR_BELOW}${above}${block}${END_UPDATE}`);
  }

  /** Leaves all as it stands and gives the cursor back: the next block is drawn below. */
  leave(): void {
    this.#drawn = [];
    this.#terminal.write(SHOW_CURSOR);
  }

  /** Leaves the block behind, however high, with these last lines, and gives the cursor back. */
  close(lines: readonly string[]): void {
    this.#renewed = () => undefined;
    const last = lines.map((line) => `${line}\n`).join('');
    this.#terminal.write(`${BEGIN_UPDATE}${this.#up()}${CLEAR_BELOW}${last}${END_UPDATE}`);
    this.#lines = [];
    this.#drawn = [];
    this.#terminal.write(SHOW_CURSOR);
  }

  /** To the block's first line. A terminal made narrower has wrapped the lines drawn before. */
  #up(): string {
    const { columns, rows } = this.#terminal.size();
    const taken = this.#drawn.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const height = taken.reduce((sum, lines) => sum + lines, 0);
    return height === 0 ? '' : `\u001b[${Math.min(height, rows - 1)}A\r`;
  }

  /** No block, until the terminal moves again. */
  #none(): string {
    this.#drawn = [];
    return '';
  }

  /** The block's lines, none wider and all together no higher than the terminal. */
  #block(): string {
    const { columns, rows } = this.room;
    this.#drawn = fitted(this.#lines, rows).map((line) => clip(line, columns));
    return this.#drawn.map((line) => `${CLEAR_LINE}${line}\n`).join('') + CLEAR_BELOW;
  }
}

/** The first and the last lines where there is no room for all. */
function fitted(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  const head = Math.max(1, rows - 1);
  return [...lines.slice(0, head), ...(rows > 1 ? [`… ${lines.length - head} more lines`] : [])];
}
