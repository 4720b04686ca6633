import type { Level, Market } from '../../../domain/index.ts';
import { symbolOf } from '../wire/fields.ts';
import { plainNumber } from '../wire/numbers.ts';

/** The two ways in which the exchange is known to speak. Source: wire facts, Dialects. */
export const DIALECTS = ['documented', 'recorded'] as const;
export type DialectName = (typeof DIALECTS)[number];

/**
 * Everything in which the dialects differ. Texts are JSON tokens, ready to be put into an answer.
 */
export interface Dialect {
  readonly name: DialectName;
  /** The `code` of an answer over REST. */
  code(code: number): string;
  /** The name of a market among the tickers of `allTicker`. */
  tickerKey(market: Market): string;
  /** Price or amount of a public trade. */
  tradeNumber(value: number): string;
  /** The time of a public trade or of a depth, from milliseconds. */
  time(ms: number): string;
  /** Asks in the order that depth lists them, from lowest first. */
  asks(levels: readonly Level[]): readonly Level[];
  /** The status of an open order that has not traded. */
  readonly untouchedStatus: 0 | 3;
}

const documented: Dialect = {
  name: 'documented',
  code: String,
  tickerKey: (market) => market.id,
  tradeNumber: plainNumber,
  time: String,
  asks: (levels) => levels,
  untouchedStatus: 0,
};

const recorded: Dialect = {
  name: 'recorded',
  code: (code) => `"${code}"`,
  tickerKey: (market) => symbolOf(market.id),
  tradeNumber: (value) => `"${plainNumber(value)}"`,
  time: (ms) => String(Math.floor(ms / 1000)),
  asks: (levels) => levels.toReversed(),
  untouchedStatus: 3,
};

/** The dialect of that name. Default: `documented`. */
export function dialectOf(name: DialectName = 'documented'): Dialect {
  return { documented, recorded }[name];
}
