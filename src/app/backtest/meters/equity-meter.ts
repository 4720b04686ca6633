import type { Market, TradingEvent } from '../../../domain/index.ts';
import { type Bus, Decimal } from '../../../kernel/index.ts';
import type { BalanceLedger, PositionLedger } from '../../../ledger/index.ts';
import type { EquityColumns } from '../../../report/index.ts';
import type { PriceCell, RecordedPrices } from '../feeds/prices.ts';
import type { ByteSpool } from '../record/byte-spool.ts';
import { SampleLog } from '../record/sample-log.ts';
import { othersThan, type Route, routesTo } from '../worth/routes.ts';
import { type AccountCurveOptions, accountCurve } from './account-curve.ts';

export interface EquityMeterOptions {
  readonly bus: Bus<TradingEvent>;
  readonly markets: readonly Market[];
  /** The currency that the account is valued in. */
  readonly currency: string;
  readonly balances: BalanceLedger;
  /** The part of the balances that is lent, not the account's own, by currency. */
  readonly lent: Readonly<Record<string, string>>;
  readonly positions: PositionLedger;
  readonly prices: RecordedPrices;
  /** When the first sample is taken, and the last at the latest, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Time between two samples. */
  readonly everyMs: number;
  /** Where samples are kept. */
  readonly spool: ByteSpool;
}

/**
 * Samples the account at the start and at whole intervals in UTC. It notes prices and holdings;
 * what they are worth is worked out at the end.
 */
export class EquityMeter {
  readonly #options: EquityMeterOptions;
  readonly #cells: readonly PriceCell[];
  /** The currencies other than the account's own, and how each is valued in that. */
  readonly #others: readonly string[];
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #samples: SampleLog;
  /** Whether holdings may have changed since they were last noted. */
  #mayHaveChanged = true;
  /** Whether the next sample takes the holdings noted before, whatever has been traded since. */
  #isNoted = false;
  /** When the next sample is due, milliseconds since the epoch. */
  dueMs: number;

  constructor(options: EquityMeterOptions) {
    const { bus, markets, currency, prices, fromMs, spool } = options;
    this.#options = options;
    this.#cells = markets.map(({ id }) => prices.cell(id));
    this.#others = othersThan(currency, markets);
    this.#routes = routesTo(currency, markets);
    this.#samples = new SampleLog(spool, this.#cells, this.#others.length);
    this.dueMs = fromMs;
    const noteChange = (): void => {
      this.#mayHaveChanged = true;
    };
    bus.on('balance').subscribe(noteChange);
    bus.on('position').subscribe(noteChange);
  }

  /** Values the account before anything happens, at the prices that the data begin with. */
  begin(timeMs: number, firstPrices: ReadonlyMap<string, number>): void {
    const known = this.#cells.map(({ last }) => last);
    for (const [at, { id }] of this.#options.markets.entries()) {
      const cell = this.#cells[at]!;
      if (Number.isNaN(cell.last)) cell.last = firstPrices.get(id) ?? Number.NaN;
    }
    this.#sample(timeMs);
    this.dueMs = this.#dueAfter(timeMs);
    // Nobody knows these prices yet: take them back.
    for (const [at, cell] of this.#cells.entries()) cell.last = known[at]!;
  }

  /**
   * Notes what the account begins with, for the first sample. Trades at that very moment, at the
   * close that ends the warm-up, do not belong to it.
   */
  noteStart(): void {
    this.#noteHoldings();
    this.#isNoted = true;
  }

  /** Time moves on to `timeMs`: takes a sample of the account as it stands, if one is due. */
  passTo(timeMs: number): void {
    if (this.dueMs <= timeMs) this.#sampleDue(timeMs);
  }

  /** Like `passTo`, before a market opens. What the open sets off belongs to a later sample. */
  passToOpen(timeMs: number): void {
    if (this.dueMs <= timeMs) this.#sampleDue(timeMs + 1);
  }

  /** Takes the sample that is due, and sets when the next one is: not before `notBeforeMs`. */
  #sampleDue(notBeforeMs: number): void {
    this.#sample(this.dueMs);
    // Where nothing was recorded for long there is nothing to value in between.
    this.dueMs = this.#dueAfter(this.dueMs);
    if (this.dueMs < notBeforeMs) this.dueMs = this.#dueAfter(notBeforeMs - 1);
  }

  /** When the first sample after a time is due: at the end of a whole interval in UTC. */
  #dueAfter(timeMs: number): number {
    const { everyMs, toMs } = this.#options;
    const dueMs = (Math.floor(timeMs / everyMs) + 1) * everyMs;
    return dueMs <= toMs ? dueMs : Number.POSITIVE_INFINITY;
  }

  /**
   * Takes the last sample, in place of one already taken at that time. What is heard after the end
   * of the period still counts in it.
   */
  end(timeMs: number): void {
    this.#mayHaveChanged = true;
    this.#sample(Math.min(timeMs, this.#options.toMs));
  }

  /** Owned currencies that cannot be valued, and for each a market whose price is not known. */
  get unpriced(): readonly { readonly currency: string; readonly market: string }[] {
    return this.#others.flatMap((currency) => {
      const missing = this.#routeOf(currency).find(({ market }) =>
        Number.isNaN(this.#cells[market]!.last),
      );
      if (missing === undefined || this.#owned(currency) === 0) return [];
      return { currency, market: this.#options.markets[missing.market]!.id };
    });
  }

  /** The equity curve so far, with that of buy and hold beside it. */
  curve({ buyAndHold }: Pick<AccountCurveOptions, 'buyAndHold'>): Iterable<EquityColumns> {
    const { markets } = this.#options;
    const bases = new Set(markets.map(({ base }) => base));
    return accountCurve(this.#samples, {
      markets: markets.map(({ id }) => id),
      routes: this.#others.map((currency) => this.#routeOf(currency)),
      bought: Array.from(bases, (base) => this.#routeOf(base)),
      buyAndHold,
    });
  }

  #routeOf(currency: string): Route {
    return this.#routes.get(currency)!;
  }

  #sample(time: number): void {
    if (this.#mayHaveChanged && !this.#isNoted) this.#noteHoldings();
    this.#isNoted = false;
    this.#samples.add(time);
  }

  #noteHoldings(): void {
    const { markets, positions, currency } = this.#options;
    this.#samples.hold({
      money: this.#owned(currency),
      amounts: this.#others.map((other) => this.#owned(other)),
      positions: markets.map(({ id }) => positions.position(id).amount.toNumber()),
    });
    this.#mayHaveChanged = false;
  }

  #owned(currency: string): number {
    const balance = this.#options.balances.get(currency);
    if (balance === undefined) return 0;
    const held = balance.available.plus(balance.frozen);
    return held.minus(Decimal.of(this.#options.lent[currency] ?? 0)).toNumber();
  }
}
