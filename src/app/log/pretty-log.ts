import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';
import { formatDuration } from '../../kernel/index.ts';
import { printable } from './printable.ts';

/** Where lines for people go. */
export interface PrettyTarget {
  readonly write: (text: string) => void;
  /** Whether the terminal wants colours. Default: false. */
  readonly hasColors?: boolean;
}

/** A field, not shown, that marks a line which somebody else worded. */
export const FOREIGN_FIELD = 'fields are foreign';

/** Fields that the line itself is made of. */
const LINE_FIELDS = new Set(['level', 'time', 'msg', FOREIGN_FIELD]);
/**
 * Fields of our own lines that need not be shown if the sentence has their value as a whole word.
 * Counts are none of them, since the same number may mean something else there; a count is said
 * only if it stands ahead of its name.
 */
const SAID_FIELDS = new Set([
  ...['market', 'strategy', 'stream', 'channel', 'clientOrderId', 'exchangeOrderId'],
  ...['side', 'amount', 'price', 'setting', 'state', 'status', 'reason', 'what', 'name'],
  ...['recording', 'operation'],
]);
/** Other words for a value. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['buy', 'bought'],
  ['sell', 'sold'],
]);
const LEVEL_COLORS = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const;
/** A line as pino writes it, its fields beside these. */
interface LogLine {
  readonly time: string;
  readonly level: keyof typeof LEVEL_COLORS;
  readonly msg: string;
}

/** Lines for people: the time of day, the level, the sentence, and what the sentence leaves out. */
export function prettyStream({ write, hasColors = false }: PrettyTarget): DestinationStream {
  const paint = (color: Parameters<typeof styleText>[0], text: string): string =>
    hasColors ? styleText(color, text, { validateStream: false }) : text;
  return {
    write: (line) => {
      const log = JSON.parse(line) as LogLine;
      const { time, level, msg } = log;
      // In UTC, as all other times.
      const stamp = `${time.slice(11, 19)} ${paint(LEVEL_COLORS[level], level.padEnd(5))}`;
      write(`${stamp} ${shown(msg)}${paint('dim', shown(fieldsOf(log, msg)))}\n`);
    },
  };
}

/** A text, which somebody else may have worded; none of its lines looks like one of the log. */
function shown(text: string): string {
  return text.split('\n').map(printable).join('\n    ');
}

/** The fields as `name=value`, except those that our own sentence says. */
function fieldsOf(log: object, sentence: string): string {
  const isForeign = FOREIGN_FIELD in log;
  return Object.entries(log)
    .filter(([name]) => !LINE_FIELDS.has(name))
    .map(
      ([name, value]) =>
        (isForeign ? undefined : spanOf(name, value)) ?? { name, text: textOf(value) },
    )
    .filter(({ name, text }) => isForeign || !says(sentence, { name, text }))
    .map(({ name, text }) => `  ${name}=${text}`)
    .join('');
}

/** A duration field for people, without the unit in its name; undefined for other fields. */
function spanOf(name: string, value: unknown): { name: string; text: string } | undefined {
  if (typeof value !== 'number' || !name.endsWith('Ms')) return undefined;
  return { name: name.slice(0, -'Ms'.length), text: formatDuration(value) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, (_key, part) => rounded(part));
}

/** The digits that every double keeps: a sum such as 0.1 + 0.2 is shown as 0.3. */
const DIGITS = 15;

function rounded(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(value.toPrecision(DIGITS));
}

function says(
  sentence: string,
  { name, text }: { readonly name: string; readonly text: string },
): boolean {
  if (!SAID_FIELDS.has(name)) return hasWhole(sentence, `${text} ${name}`);
  return hasWhole(sentence, text) || hasWhole(sentence, SYNONYMS.get(text) ?? text);
}

/** Characters that join what stands on both sides into a longer word, number or path. */
const JOINS = '[-.,:/@]';
const PART = String.raw`[\p{L}\p{N}_]`;
const ENDS_BEFORE = new RegExp(`(?:${PART}|${PART}${JOINS}|[-+])$`, 'u');
const GOES_ON = new RegExp(`^(?:${PART}|${JOINS}${PART})`, 'u');

/** Whether the text stands there as a whole, not as a part of a longer word or number. */
function hasWhole(sentence: string, text: string): boolean {
  if (text === '') return false;
  for (let at = sentence.indexOf(text); at >= 0; at = sentence.indexOf(text, at + 1)) {
    const before = sentence.slice(Math.max(0, at - 2), at);
    if (!ENDS_BEFORE.test(before) && !GOES_ON.test(sentence.slice(at + text.length))) return true;
  }
  return false;
}
