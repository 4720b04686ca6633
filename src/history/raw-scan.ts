import type { LevelChange, RecordedTrade, Side } from '../domain/index.ts';
import type { DepthDiff } from './depth-synchronizer.ts';

/** What a scan of a message found: the market's name, and the diff or the trade. */
export type Scanned =
  | { readonly kind: 'diff'; readonly symbol: string; readonly diff: DepthDiff }
  | { readonly kind: 'trade'; readonly symbol: string; readonly trade: RecordedTrade };

/** Powers of ten that a double holds exactly, for the places after a point. */
const TENS = Array.from({ length: 23 }, (_, power) => 10 ** power);
/** Digits of a whole number that a double surely holds. */
const DIGITS_MAX = 15;

/** Stamps that `readTime` takes for milliseconds: from 1973 to 2286. */
const STAMP_MIN = 1e11;
const STAMP_MAX = 1e13;

const QUOTE = 0x22;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BACKSLASH = 0x5c;
const LAST_LETTER = 0x7a;

/**
 * Reads the most frequent messages of a recording, depth diffs and trades of a combined stream,
 * without objects and texts that would be thrown away at once.
 *
 * It knows their fields only in the order in which Binance sends them: it returns undefined for
 * every other message, which is then read as JSON. What it reads equals what JSON.parse reads.
 */
export class RawScanner {
  #text = '';
  #at = 0;
  /** The message turned out to be none of these: what was read of it means nothing. */
  #failed = false;

  /** `receivedTime`: the recorder's stamp; the message begins at `at`. */
  scan(
    text: string,
    { at, receivedTime }: { readonly at: number; readonly receivedTime: number },
  ): Scanned | undefined {
    this.#text = text;
    this.#at = at;
    this.#failed = false;
    if (!this.#skip('{"stream":"')) return undefined;
    this.#name();
    if (!this.#skip('","data":{"e":"')) return undefined;
    if (this.#skip('depthUpdate","E":')) return this.#diff(receivedTime);
    return this.#skip('trade","E":') ? this.#trade(receivedTime) : undefined;
  }

  #diff(receivedTime: number): Scanned | undefined {
    const made = this.#stamp();
    const time = this.#skip(',"T":') ? this.#stamp() : made;
    this.#expect(',"s":"');
    const symbol = this.#word();
    this.#expect(',"U":');
    const firstUpdateId = this.#whole();
    this.#expect(',"u":');
    const lastUpdateId = this.#whole();
    const previousUpdateId = this.#skip(',"pu":') ? this.#whole() : undefined;
    const changes: LevelChange[] = [];
    this.#expect(',"b":');
    this.#levels('buy', changes);
    this.#expect(',"a":');
    this.#levels('sell', changes);
    if (!this.#ends()) return undefined;
    const diff = { time, receivedTime, firstUpdateId, lastUpdateId, changes };
    if (previousUpdateId === undefined) return { kind: 'diff', symbol, diff };
    return { kind: 'diff', symbol, diff: { ...diff, previousUpdateId } };
  }

  #trade(receivedTime: number): Scanned | undefined {
    this.#stamp();
    const early = this.#skip(',"T":') ? this.#stamp() : undefined;
    this.#expect(',"s":"');
    const symbol = this.#word();
    this.#expect(',"t":');
    const id = this.#whole();
    this.#expect(',"p":"');
    const price = this.#decimal();
    this.#expect(',"q":"');
    const amount = this.#decimal();
    const time = early ?? (this.#skip(',"T":') ? this.#stamp() : undefined);
    if (this.#skip(',"X":"')) this.#word();
    this.#expect(',"m":');
    const takerSide = this.#skip('true') ? 'sell' : this.#skip('false') ? 'buy' : undefined;
    if (this.#skip(',"M":') && !this.#skip('true')) this.#expect('false');
    if (time === undefined || takerSide === undefined || !this.#ends()) return undefined;
    // Entries with zeros are no trades.
    if (price === 0 || amount === 0) return undefined;
    const stamps = { time, receivedTime };
    const trade = { kind: 'trade', ...stamps, id: String(id), price, amount, takerSide } as const;
    return { kind: 'trade', symbol, trade };
  }

  /** `[["61737.63000000","0.00000000"],...]` */
  #levels(side: Side, changes: LevelChange[]): void {
    this.#expect('[');
    if (this.#skip(']')) return;
    const text = this.#text;
    while (!this.#failed) {
      if (text.charCodeAt(this.#at) !== OPEN || text.charCodeAt(this.#at + 1) !== QUOTE) break;
      this.#at += 2;
      const price = this.#decimal();
      if (text.charCodeAt(this.#at) !== COMMA || text.charCodeAt(this.#at + 1) !== QUOTE) break;
      this.#at += 2;
      const amount = this.#decimal();
      if (text.charCodeAt(this.#at++) !== CLOSE) break;
      changes.push([side, price, amount]);
      const next = text.charCodeAt(this.#at++);
      if (next === CLOSE) return;
      if (next !== COMMA) break;
    }
    this.#failed = true;
  }

  /** A decimal and the quote behind it. Dividing whole numbers rounds as parsing the text would. */
  #decimal(): number {
    const text = this.#text;
    let at = this.#at;
    let digits = 0;
    let point = -1;
    const begin = at;
    for (; ; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
      else if (digit === POINT - ZERO && point < 0) point = at;
      else break;
    }
    const isWhole = point < 0;
    const length = at - begin - (isWhole ? 0 : 1);
    if (text.charCodeAt(at) !== QUOTE || length === 0 || length > DIGITS_MAX) this.#failed = true;
    this.#at = at + 1;
    return isWhole ? digits : digits / TENS[at - point - 1]!;
  }

  /** A time in milliseconds; in another unit the message is left to JSON. */
  #stamp(): number {
    const time = this.#whole();
    if (time < STAMP_MIN || time >= STAMP_MAX) this.#failed = true;
    return time;
  }

  #whole(): number {
    const text = this.#text;
    const begin = this.#at;
    let at = begin;
    let number = 0;
    for (; ; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
    }
    const length = at - begin;
    const isPadded = length > 1 && text.charCodeAt(begin) === ZERO;
    if (length === 0 || length > DIGITS_MAX || isPadded) this.#failed = true;
    this.#at = at;
    return number;
  }

  /** The name of a stream, such as `btcusdt@depth@100ms`, up to the quote behind it. */
  #name(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      const isPlain = code >= ZERO && code <= LAST_LETTER && code !== BACKSLASH;
      if (!isPlain) return;
    }
  }

  /** A word without anything that JSON escapes, and the quote behind it. */
  #word(): string {
    const end = this.#text.indexOf('"', this.#at);
    const word = this.#text.slice(this.#at, end);
    if (end < 0 || !/^\w+$/.test(word)) this.#failed = true;
    this.#at = end + 1;
    return word;
  }

  #ends(): boolean {
    return this.#skip('}}') && this.#at === this.#text.length && !this.#failed;
  }

  #expect(part: string): void {
    if (!this.#skip(part)) this.#failed = true;
  }

  #skip(part: string): boolean {
    if (!this.#text.startsWith(part, this.#at)) return false;
    this.#at += part.length;
    return true;
  }
}
