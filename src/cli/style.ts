import { styleText } from 'node:util';

/** The few accents of the display; each has one meaning. */
const ACCENTS = {
  /** What the eye looks for first. */
  strong: 'bold',
  /** Labels and what is only now and then of interest. */
  quiet: 'dim',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
} as const;
export type Accent = keyof typeof ACCENTS;

/** Gives a text an accent, or leaves it plain. */
export type Paint = (accent: Accent, text: string) => string;

export const plain: Paint = (_accent, text) => text;

/** Paints for that terminal, unless it or NO_COLOR says no. Source: no-color.org. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  if (!stream.isTTY || !stream.hasColors() || process.env.NO_COLOR) return plain;
  return (accent, text) => styleText(ACCENTS[accent], text, { validateStream: false });
}

/** How wide a terminal is, in columns; infinite for a pipe. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Whether lines can be redrawn in place: not in a pipe, and not on a dumb terminal. */
export function canDraw({ isTTY = false }: { readonly isTTY?: boolean }): boolean {
  return isTTY && process.env.TERM !== 'dumb';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a style begins with
export const STYLES = /\u001b\[[0-9;]*m/g;
export const RESET = '\u001b[0m';
const CUT = '…';

/** Text of characters that take one column each: Latin letters, figures, the usual signs. */
const NARROW = /^[ -\u02ff]*$/;
/** A character two columns wide: East Asian, full width, pictures. Source: Unicode, UAX 11. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** A character that takes no column: it stands above or below the letter before it. */
const COMBINING = /[\p{Mn}\p{Me}]/u;

/** How many columns a text takes. */
export function widthOf(text: string): number {
  const seen = text.replace(STYLES, '');
  if (NARROW.test(seen)) return seen.length;
  return Array.from(seen).reduce((width, sign) => width + columnsOf(sign), 0);
}

/** How many columns the widest text takes; a spread `Math.max` fails for very many texts. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
}

function columnsOf(sign: string): number {
  if (WIDE.test(sign)) return 2;
  return COMBINING.test(sign) ? 0 : 1;
}

/** The beginning of a text, as much as fits in `width` columns. */
function headOf(text: string, width: number): string {
  let left = width;
  let head = '';
  for (const sign of text) {
    left -= columnsOf(sign);
    if (left < 0) break;
    head += sign;
  }
  return head;
}

/** The text cut to a width, its styles kept and ended, with a mark in place of what is missing. */
export function clip(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return '';
  let left = width - CUT.length;
  let clipped = '';
  let at = 0;
  for (const { 0: style, index } of text.matchAll(STYLES)) {
    const whole = text.slice(at, index);
    const piece = headOf(whole, left);
    left = piece === whole ? left - widthOf(piece) : 0;
    clipped += piece + style;
    at = index + style.length;
  }
  return clipped + headOf(text.slice(at), left) + (at > 0 ? RESET : '') + CUT;
}

/** The text with blanks up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
