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

/** How wide a terminal is; a pipe is as wide as what is written to it. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Whether lines can be drawn over there: a dumb terminal knows of none but the next. */
export function canDraw({ isTTY = false }: { readonly isTTY?: boolean }): boolean {
  return isTTY && process.env.TERM !== 'dumb';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a style begins with
export const STYLES = /\u001b\[[0-9;]*m/g;
export const RESET = '\u001b[0m';
const CUT = '…';

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return text.replace(STYLES, '').length;
}

/** The text cut to a width, its styles kept and ended, with a mark in place of what is missing. */
export function clip(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return '';
  let left = width - CUT.length;
  let clipped = '';
  let at = 0;
  for (const { 0: style, index } of text.matchAll(STYLES)) {
    const piece = text.slice(at, index).slice(0, left);
    left -= piece.length;
    clipped += piece + style;
    at = index + style.length;
  }
  return clipped + text.slice(at).slice(0, left) + (at > 0 ? RESET : '') + CUT;
}

/** The text with blanks up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
