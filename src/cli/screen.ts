import { clip, widthOf } from './style.ts';

const CLEAR_LINE = '\u001b[2K';
const CLEAR_BELOW = '\u001b[0J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** A terminal that knows these shows nothing half-drawn. Source: DEC mode 2026. */
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';

/** What a screen writes to: a terminal and its present size. */
export interface Terminal {
  write(text: string): void;
  /** Columns and rows now. */
  size(): { readonly columns: number; readonly rows: number };
  /** Whether it has not yet taken what was written before. */
  readonly isBehind: () => boolean;
}

/** A terminal whose last lines are a block that is redrawn in place, with log lines above it. */
export class Screen {
  readonly #terminal: Terminal;
  #lines: readonly string[] = [];
  /** Gives the block as of now; undefined: as it was drawn. */
  #renewed: () => readonly string[] | undefined = () => undefined;
  /** The block's lines as they stand on the terminal. */
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
    // Drawings would only pile up while the terminal stands still.
    if (this.#terminal.isBehind()) return;
    this.#terminal.write(`${BEGIN_UPDATE}${HIDE_CURSOR}${this.#up()}${this.#block()}${END_UPDATE}`);
  }

  /** With each text above the block `lines` gives the block as of now; undefined: as drawn. */
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

  /** Moves to the block's first line. A terminal made narrower has wrapped its lines. */
  #up(): string {
    const { columns, rows } = this.#terminal.size();
    const taken = this.#drawn.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const height = taken.reduce((sum, lines) => sum + lines, 0);
    return height === 0 ? '' : `\u001b[${Math.min(height, rows - 1)}A\r`;
  }

  /** Draws no block, until the terminal takes output again. */
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

/** The first lines and a count of the others, where there is no room for all. */
function fitted(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  const head = Math.max(1, rows - 1);
  return [...lines.slice(0, head), ...(rows > 1 ? [`… ${lines.length - head} more lines`] : [])];
}
