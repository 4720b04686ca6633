import type { Level, LevelChange, MarketRecord, RecordedTrade, Side } from '../domain/index.ts';
import {
  type BookAt,
  type DepthDiff,
  type DepthSnapshot,
  type DepthStart,
  DepthSynchronizer,
} from './depth-synchronizer.ts';
import type { Line } from './lines.ts';
import { RawScanner } from './raw-scan.ts';
import { quote, readAmount, readTime } from './values.ts';

// Raw recordings: `<local stamp> <message of the exchange>`, one a line, as Binance sends them on
// its combined streams (spot and USD-margined futures), with REST snapshots of the book in between.

/** The best bid and ask after the update `updateId`. */
export interface BookTicker {
  readonly kind: 'bookTicker';
  readonly updateId: number;
  readonly bid: Level;
  readonly ask: Level;
}

/** One message, in this project's terms. */
export type RawMessage =
  | { readonly kind: 'trade'; readonly symbol: string; readonly trade: RecordedTrade }
  | { readonly kind: 'diff'; readonly symbol: string; readonly diff: DepthDiff }
  | { readonly kind: 'snapshot'; readonly snapshot: DepthSnapshot }
  | BookTicker
  | { readonly kind: 'other' };

type Fields = Readonly<Record<string, unknown>>;

/** One for all recordings: it keeps nothing from one line to the next. */
const SCANNER = new RawScanner();

/** The exchange's newest stamp, and the recorder's stamp of the newest message. */
export interface Stamps {
  readonly time: number;
  readonly receivedTime: number;
}

/** After a longer silence, a snapshot does not take the time of the message before. Our choice. */
const SILENCE_MS = 1_000;

/**
 * Reads one line as a message. On the spot market a snapshot has no stamp of the exchange. It takes
 * the newest one before it, plus the time that has passed if there was a silence; if there is none,
 * the recorder's stamp.
 *
 * @throws {TypeError} when the line is broken.
 */
export function readRawMessage(text: string, last?: Stamps): RawMessage {
  const space = text.indexOf(' ');
  if (space === -1) throw new TypeError(`it is ${quote(text)}, a stamp and a message are wanted`);
  const receivedTime = readTime(text.slice(0, space));
  const scanned = SCANNER.scan(text, { at: space + 1, receivedTime });
  if (scanned !== undefined) return scanned;
  const message = fieldsOf(JSON.parse(text.slice(space + 1)));
  const data = message.data === undefined ? message : fieldsOf(message.data);
  const stamps = { time: exchangeTimeOf(data) ?? timeAfter(last, receivedTime), receivedTime };
  if (data.lastUpdateId !== undefined) return readSnapshot(data, stamps);
  if (data.e === 'trade' || data.e === 'aggTrade') return readTrade(data, stamps);
  if (data.e === 'depthUpdate') return readDiff(data, stamps);
  // The spot market's best bid and ask comes without a name.
  if (data.e === 'bookTicker' || (data.u !== undefined && data.B !== undefined)) {
    return readBookTicker(data);
  }
  return { kind: 'other' };
}

/** The exchange's time when the recorder's clock shows `receivedTime`. */
function timeAfter(last: Stamps | undefined, receivedTime: number): number {
  if (last === undefined) return receivedTime;
  const silenceMs = receivedTime - last.receivedTime;
  return silenceMs > SILENCE_MS ? last.time + silenceMs : last.time;
}

/** `T`: when the exchange's engine did it; `E`: when its message was made. */
function exchangeTimeOf(data: Fields): number | undefined {
  const stamp = data.T ?? data.E;
  return stamp === undefined ? undefined : readTime(stamp);
}

function readTrade(data: Fields, stamps: Stamps): RawMessage {
  const price = readAmount(data.p, 'price');
  const amount = readAmount(data.q, 'amount');
  // Insurance fund and liquidation entries of the futures stream come with zeros.
  if (price === 0 || amount === 0) return { kind: 'other' };
  if (typeof data.m !== 'boolean') {
    throw new TypeError(`"buyer is maker" is ${quote(data.m)}, true or false is wanted`);
  }
  const id = String(data.t ?? data.a);
  const takerSide = data.m ? 'sell' : 'buy';
  return {
    kind: 'trade',
    symbol: String(data.s),
    trade: { kind: 'trade', ...stamps, id, price, amount, takerSide },
  };
}

function readDiff(data: Fields, stamps: Stamps): RawMessage {
  const changes: LevelChange[] = [];
  for (const level of levelsOf(data.b, 'bids')) changes.push(['buy', ...level]);
  for (const level of levelsOf(data.a, 'asks')) changes.push(['sell', ...level]);
  const diff = {
    ...stamps,
    firstUpdateId: readAmount(data.U, 'first update id'),
    lastUpdateId: readAmount(data.u, 'last update id'),
    changes,
  };
  const symbol = String(data.s);
  if (data.pu === undefined) return { kind: 'diff', symbol, diff };
  const previousUpdateId = readAmount(data.pu, 'previous update id');
  return { kind: 'diff', symbol, diff: { ...diff, previousUpdateId } };
}

function readSnapshot(data: Fields, stamps: Stamps): RawMessage {
  const lastUpdateId = readAmount(data.lastUpdateId, 'last update id');
  const bids = sorted(levelsOf(data.bids, 'bids'), 'buy');
  const asks = sorted(levelsOf(data.asks, 'asks'), 'sell');
  return { kind: 'snapshot', snapshot: { ...stamps, lastUpdateId, bids, asks } };
}

function readBookTicker(data: Fields): BookTicker {
  return {
    kind: 'bookTicker',
    updateId: readAmount(data.u, 'update id'),
    bid: levelOf([data.b, data.B]),
    ask: levelOf([data.a, data.A]),
  };
}

function sorted(levels: Level[], side: Side): Level[] {
  return levels.sort((a, b) => (side === 'buy' ? b[0] - a[0] : a[0] - b[0]));
}

function levelsOf(value: unknown, what: string): Level[] {
  if (Array.isArray(value)) return value.map(levelOf);
  throw new TypeError(`the ${what} are ${quote(value)}, a list of levels is wanted`);
}

function levelOf(value: unknown): Level {
  if (!Array.isArray(value)) throw new TypeError(`a level is ${quote(value)}, a pair is wanted`);
  return [readAmount(value[0], 'price'), readAmount(value[1], 'amount')];
}

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null) return value as Fields;
  throw new TypeError(`the message is ${quote(value)}, an object is wanted`);
}

/** Most lines of a recording are best prices, which the book tells as well: they are not parsed. */
function isBookTicker(text: string): boolean {
  const at = text.indexOf('@');
  return at < STREAM_NAME_END_MAX && text.startsWith('@bookTicker"', at);
}

/** A line's stamp and the name of its stream end before this character. */
const STREAM_NAME_END_MAX = 80;

/** What is known before the first line of a recording. */
export interface RawStart {
  /** Default: none. */
  readonly depth?: DepthStart | undefined;
  readonly last?: Stamps | undefined;
  /** Messages up to this time are known already, milliseconds. Default: none are. */
  readonly knownUntil?: number | undefined;
  /** Called when changes of depth begin to wait for a first whole book. */
  readonly onWait?: (() => void) | undefined;
}

/** Whether a text begins with a recorder's stamp and a message of the exchange. */
export function isRaw(text: string): boolean {
  return /^\s*\d{10,20} +\{/.test(text);
}

/** Reads a raw recording of one market: trades as they come, depth through a synchronizer. */
export class RawReader {
  readonly #depth: DepthSynchronizer;
  readonly #knownUntil: number;
  /** Whether changes are known to be old by their update, which needs the update of the book. */
  readonly #knownByUpdate: boolean;
  #last: { time: number; receivedTime: number } | undefined;
  /** The exchange's name of the market, such as BTCUSDT, once a line named it. */
  symbol: string | undefined;

  constructor({ depth, last, knownUntil = Number.NEGATIVE_INFINITY, onWait }: RawStart = {}) {
    this.#depth = new DepthSynchronizer({ start: depth, onWait });
    this.#knownUntil = knownUntil;
    this.#knownByUpdate = typeof depth === 'object';
    this.#last = last === undefined ? undefined : { ...last };
  }

  /** The book after the last line; undefined where there is none, or nobody knows its update. */
  get book(): BookAt | undefined {
    return this.#depth.book;
  }

  /** The exchange's newest stamp, milliseconds since the epoch. */
  get lastTime(): number {
    return this.#last?.time ?? Number.NEGATIVE_INFINITY;
  }

  /** Changes of levels that were left out in recorded gaps. */
  get leftOut(): number {
    return this.#depth.leftOut;
  }

  read(line: Line): readonly MarketRecord[] {
    if (isBookTicker(line.text)) return [];
    const message = readRawMessage(line.text, this.#last);
    switch (message.kind) {
      case 'trade':
        this.#note(message.symbol, message.trade);
        return message.trade.time <= this.#knownUntil ? [] : [message.trade];
      case 'diff': {
        this.#note(message.symbol, message.diff);
        const isKnown = message.diff.time <= this.#knownUntil && !this.#knownByUpdate;
        return isKnown ? [] : this.#depth.diff(message.diff);
      }
      case 'snapshot':
        if (message.snapshot.time <= this.#knownUntil) return [];
        return this.#depth.snapshot(message.snapshot);
      case 'bookTicker':
      case 'other':
        return [];
      default:
        return message satisfies never;
    }
  }

  /** At the end of a file, another of which may go on with it. */
  endFile(): readonly MarketRecord[] {
    return this.#depth.endFile();
  }

  /** At the end of a recording: tells of depth that never became a book. */
  end(): readonly MarketRecord[] {
    return this.#depth.end();
  }

  #note(symbol: string, { time, receivedTime = time }: Partial<Stamps> & { time: number }): void {
    if (this.#last === undefined) this.#last = { time, receivedTime };
    else {
      if (time > this.#last.time) this.#last.time = time;
      this.#last.receivedTime = receivedTime;
    }
    this.symbol ??= symbol;
    if (symbol === this.symbol) return;
    throw new TypeError(`it is of ${symbol} after ${this.symbol}, one market a file is wanted`);
  }
}
