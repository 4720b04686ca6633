import type { Market, TradingEvent } from '../../domain/index.ts';
import { type Bus, Decimal, Doubles } from '../../kernel/index.ts';
import type { BalanceLedger, PositionLedger } from '../../ledger/index.ts';
import type { EquityColumns } from '../../report/index.ts';
import type { PriceCell, RecordedPrices } from './prices.ts';

export interface EquityMeterOptions {
  readonly bus: Bus<TradingEvent>;
  readonly markets: readonly Market[];
  readonly quote: string;
  readonly balances: BalanceLedger;
  /** What of the balances is not the account's own, by currency. */
  readonly lent: Readonly<Record<string, string>>;
  readonly positions: PositionLedger;
  readonly prices: RecordedPrices;
  /** From when to when samples are taken, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Time between two samples. */
  readonly everyMs: number;
}

/** The price of a market at each sample. */
interface Prices {
  readonly market: Market;
  readonly cell: PriceCell;
  values: Float64Array;
}

/** What the account held from a sample on: a row for each time that it changed. */
class Holdings {
  readonly samples = new Doubles();
  readonly money = new Doubles();
  /** By market: base currency of the account, and what the strategies hold by their fills. */
  readonly amounts: readonly Doubles[];
  readonly positions: readonly Doubles[];

  constructor(markets: number) {
    this.amounts = Array.from({ length: markets }, () => new Doubles());
    this.positions = Array.from({ length: markets }, () => new Doubles());
  }

  /** Ready for what is held from that sample on; what was noted of the same sample goes. */
  begin(sample: number): void {
    const { samples } = this;
    if (samples.length > 0 && samples.at(samples.length - 1) === sample) {
      for (const column of [samples, this.money, ...this.amounts, ...this.positions]) column.pop();
    }
    samples.push(sample);
  }
}

/** Samples beyond those of the period that there is room for at first: its ends. */
const SPARE = 4;

/**
 * Values the account at the start and at whole intervals in UTC. A sample is a time and the prices then; what was
 * held is noted where it changed, and the worth worked out at the end. Doubles: for curves, nothing
 * settles by them.
 */
export class EquityMeter {
  readonly #options: EquityMeterOptions;
  readonly #prices: readonly Prices[];
  readonly #holdings: Holdings;
  #time: Float64Array;
  #samples = 0;
  #isStale = true;
  /** When the next sample is due, milliseconds since the epoch. */
  dueMs: number;

  constructor(options: EquityMeterOptions) {
    const { bus, markets, prices, fromMs, toMs, everyMs } = options;
    this.#options = options;
    const room = Math.ceil((toMs - fromMs) / everyMs) + SPARE;
    this.#time = new Float64Array(room);
    this.#prices = markets.map((market) => {
      return { market, cell: prices.cell(market.id), values: new Float64Array(room) };
    });
    this.#holdings = new Holdings(markets.length);
    this.dueMs = fromMs;
    bus.on('balance').subscribe(() => {
      this.#isStale = true;
    });
  }

  /** Values the account before anything happens, at the prices that the data begin with. */
  begin(timeMs: number, firstPrices: ReadonlyMap<string, number>): void {
    const known = this.#prices.map(({ cell }) => cell.last);
    for (const { market, cell } of this.#prices) {
      if (Number.isNaN(cell.last)) cell.last = firstPrices.get(market.id) ?? Number.NaN;
    }
    this.#sample(timeMs);
    this.dueMs = this.#dueAfter(timeMs);
    // They are not known to anybody yet.
    for (const [at, { cell }] of this.#prices.entries()) cell.last = known[at]!;
  }

  /** Time moves on to there: values the account as it stands, if that is due. */
  passTo(timeMs: number): void {
    if (this.dueMs <= timeMs) this.#sampleDue(timeMs);
  }

  /** As `passTo`; what a market that opens then sets off is valued when there is another price. */
  passToOpen(timeMs: number): void {
    if (this.dueMs <= timeMs) this.#sampleDue(timeMs + 1);
  }

  /** Takes the sample that is due, and says when the next one is: not before then. */
  #sampleDue(notBeforeMs: number): void {
    this.#sample(this.dueMs);
    // Where nothing was recorded for long there is nothing to value in between.
    this.dueMs = Math.max(this.#dueAfter(this.dueMs), this.#dueAfter(notBeforeMs - 1));
  }

  /** The first sample behind that time: at a whole interval in UTC, as days and hours end. */
  #dueAfter(timeMs: number): number {
    const { everyMs } = this.#options;
    return (Math.floor(timeMs / everyMs) + 1) * everyMs;
  }

  /** Values the account a last time; where it was valued at that time before, anew. */
  end(timeMs: number): void {
    if (this.#samples > 0 && this.#time[this.#samples - 1]! >= timeMs) this.#samples--;
    this.#isStale = true;
    this.#sample(timeMs);
  }

  /** The curve so far. */
  curve(): EquityColumns {
    const time = this.#time.subarray(0, this.#samples);
    const cash = new Float64Array(this.#samples);
    const positionValue = new Float64Array(this.#samples);
    const positions = this.#prices.map(() => new Float64Array(this.#samples));
    const held = this.#holdings;
    for (let at = 0; at < held.samples.length; at++) {
      const from = held.samples.at(at);
      const to = at + 1 < held.samples.length ? held.samples.at(at + 1) : this.#samples;
      cash.fill(held.money.at(at), from, to);
      for (const [place, { values }] of this.#prices.entries()) {
        positions[place]!.fill(held.positions[place]!.at(at), from, to);
        const amount = held.amounts[place]!.at(at);
        if (amount === 0) continue;
        for (let row = from; row < to; row++) positionValue[row]! += amount * values[row]!;
      }
    }
    const equity = positionValue.map((value, row) => cash[row]! + value);
    const named = this.#prices.map(({ market }, at) => [market.id, positions[at]!] as const);
    const buyAndHold = this.#buyAndHold(equity[0] ?? Number.NaN);
    return {
      ...{ time, equity, cash, positionValue, positions: new Map(named) },
      ...(buyAndHold && { buyAndHold }),
    };
  }

  #sample(timeMs: number): void {
    const at = this.#samples++;
    if (at === this.#time.length) this.#grow();
    if (this.#isStale) this.#noteHoldings(at);
    this.#time[at] = timeMs;
    for (const prices of this.#prices) prices.values[at] = prices.cell.last;
  }

  #noteHoldings(sample: number): void {
    const { positions, quote } = this.#options;
    this.#isStale = false;
    const held = this.#holdings;
    held.begin(sample);
    held.money.push(this.#owned(quote));
    for (const [place, { market }] of this.#prices.entries()) {
      held.amounts[place]!.push(this.#owned(market.base));
      held.positions[place]!.push(positions.position(market.id).amount.toNumber());
    }
  }

  #owned(currency: string): number {
    const balance = this.#options.balances.get(currency);
    if (balance === undefined) return 0;
    const held = balance.available.plus(balance.frozen);
    return held.minus(Decimal.of(this.#options.lent[currency] ?? 0)).toNumber();
  }

  #grow(): void {
    this.#time = doubled(this.#time);
    for (const prices of this.#prices) prices.values = doubled(prices.values);
  }

  #buyAndHold(first: number): Float64Array | undefined {
    const shares = this.#prices.map(({ values }) => {
      const known = values.subarray(0, this.#samples);
      return { known, start: known.find((price) => price > 0) };
    });
    if (!(first > 0) || shares.some(({ start }) => start === undefined)) return undefined;
    const worth = new Float64Array(this.#samples);
    for (const { known, start } of shares) {
      const amount = first / shares.length / start!;
      for (let at = 0; at < worth.length; at++) {
        worth[at]! += amount * (known[at]! > 0 ? known[at]! : start!);
      }
    }
    return worth;
  }
}

function doubled(values: Float64Array): Float64Array {
  const more = new Float64Array(2 * values.length);
  more.set(values);
  return more;
}
