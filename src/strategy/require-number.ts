import { StrategyError } from './errors.ts';

export interface NumberBounds {
  readonly above: number;
  /** Whether the value may equal `above`. Default: false. */
  readonly orEqual?: boolean;
  readonly below?: number | undefined;
}

/**
 * Checks what plain JavaScript may hand in. @throws {StrategyError} with the name and the bounds.
 */
export function requireNumber(name: string, value: unknown, bounds: NumberBounds): void {
  const { above, orEqual = false, below } = bounds;
  const isEnough = typeof value === 'number' && (orEqual ? value >= above : value > above);
  if (isEnough && value < (below ?? Number.POSITIVE_INFINITY)) return;
  const least = orEqual ? `of ${above} or more` : `above ${above}`;
  const most = below === undefined ? '' : ` and below ${below}`;
  failToProtect(`${name} is ${shownValue(value)}, a number ${least}${most} is wanted`);
}

/** A value as JavaScript source writes it. */
export function shownValue(value: unknown): string {
  const isPlain = typeof value !== 'string' && typeof value !== 'object';
  return isPlain ? String(value) : JSON.stringify(value);
}

export function failToProtect(what: string): never {
  throw new StrategyError(`Cannot protect: ${what}`);
}
