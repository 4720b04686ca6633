import type { Decimal } from '../kernel/index.ts';

/** Strings whose JSON is remembered at most: names come again and again, ids never. */
const REMEMBERED_MAX = 1_024;

const remembered = new Map<string, string>();

/** A number as JSON. */
export function numberText(value: number): string {
  return Number.isFinite(value) ? `${value}` : 'null';
}

/** A name that comes with many events as JSON: of a market, a strategy, a tag. */
export function nameText(name: string): string {
  let text = remembered.get(name);
  if (text === undefined) {
    text = JSON.stringify(name);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(name, text);
  }
  return text;
}

/** A decimal as JSON: a string of its digits, which need no escape. */
export function decimalText(value: Decimal): string {
  return `"${value.toString()}"`;
}
