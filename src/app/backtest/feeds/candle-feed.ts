import type { Candle, CandleColumns } from '../../../domain/index.ts';
import type { Engine } from '../../../engine/index.ts';
import type { VirtualClock } from '../../../kernel/index.ts';
import type { CandlesModel, HeldMarket } from '../../../sim/index.ts';
import { CandleFindings, missingFrom } from '../data/findings/candle-findings.ts';
import type { Span } from '../data/findings/span.ts';
import type { VolumeFindings } from '../data/findings/volume-findings.ts';
import type { CandleSource } from '../data/source.ts';
import type { CandleHearing } from '../hearing/hearings.ts';
import type { Meters } from '../meters/meters.ts';
import type { Charts } from '../record/charts.ts';
import type { BestPrices } from './best-prices.ts';
import { CandleWalk } from './candle-walk.ts';
import { exceptLast } from './except-last.ts';
import { NewsLine } from './news-line.ts';
import { onceEach } from './once-each.ts';
import { PriceTeller } from './price-teller.ts';
import type { PriceCell } from './prices.ts';
import { type RowFeed, TURNS, type Turn } from './row-feed.ts';
import type { TimeSlice } from './time-slice.ts';

/** A candle as the bus carries it to strategies. */
type CandleEvent = Candle & { readonly kind: 'candle' };

export interface CandleFeedOptions {
  readonly source: CandleSource;
  readonly rows: AsyncIterable<CandleColumns>;
  /** From when to when there should be candles. */
  readonly span: Span;
  readonly clock: VirtualClock;
  /** Publishes the candles of this market. */
  readonly publish: (candle: CandleEvent) => void;
  readonly engine: Engine;
  readonly model: CandlesModel;
  /** This market's orders waiting for an open. */
  readonly held: HeldMarket;
  /** Whether orders of this run wait for opens at all. */
  readonly holdsOrders: boolean;
  readonly price: PriceCell;
  readonly charts: Charts;
  readonly best: BestPrices;
  /** How long a candle is under way to the strategies, milliseconds: less than it lasts. */
  readonly feedMs: number;
  /** When candles are heard, instead of after `feedMs`. Undefined: after `feedMs`. */
  readonly hearing: CandleHearing | undefined;
  /** Whether the last candle only opens: positions are closed at that open, after all rows. */
  readonly holdsLast: boolean;
  /** Finds the candles that fill nothing. */
  readonly volumes: VolumeFindings;
  /** Runs `tell`, letting the orders it sets off pass at once. Undefined: opens are not told. */
  readonly tellOpen: ((tell: () => void) => void) | undefined;
  /** Whether prices within candles are told like opens, and traded at. */
  readonly walks: boolean;
}

const NEVER = Number.POSITIVE_INFINITY;
const NO_ROWS: CandleColumns = {
  ...{ time: new Float64Array(), open: new Float64Array(), high: new Float64Array() },
  ...{ low: new Float64Array(), close: new Float64Array(), volume: new Float64Array() },
};

/**
 * Plays candles. Each happens at the exchange when it closes, then strategies hear of it. These are
 * two steps, so that every market has its price of a moment before anybody hears of one. Orders
 * paused because they met no price are retried once every market has been heard, still at the
 * close; new wishes go first. Where opens are told, strategies hear of each in the same way, and
 * where candles are walked, of each price on the way. Within a chunk nothing is asynchronous, and
 * the event is the only object made.
 */
export class CandleFeed implements RowFeed {
  readonly market: string;
  readonly #options: CandleFeedOptions;
  readonly #chunks: AsyncIterator<CandleColumns>;
  readonly #stepMs: number;
  /** Whether a candle is heard the moment it happens. */
  readonly #isInstant: boolean;
  readonly #findings: CandleFindings;
  #columns = NO_ROWS;
  /** The same candles as orders meet them: the model may join each to the close before it. */
  #met = NO_ROWS;
  #at = 0;
  #length = 0;
  #played = 0;
  #isOver = false;
  /** Candles that happened and are not heard yet. */
  readonly #candles = new NewsLine<CandleEvent>();
  /** When paused orders of this market are retried; infinite while none is due. */
  #retryMs = NEVER;
  /** When the newest candle opened. */
  #openedMs = Number.NEGATIVE_INFINITY;
  /** Opens and prices within candles that are not heard yet. */
  readonly #prices: PriceTeller;
  /** The prices that the open candle has yet to reach. */
  readonly #walk = new CandleWalk();
  #last: CandleColumns | undefined;

  constructor(options: CandleFeedOptions) {
    this.#options = options;
    this.market = options.source.market.id;
    this.#stepMs = options.source.stepMs;
    this.#isInstant = options.feedMs === 0 && options.hearing === undefined;
    this.#prices = new PriceTeller(options, { isInstant: this.#isInstant });
    this.#findings = new CandleFindings(this.#stepMs, options.span);
    const rows = onceEach(options.rows, this.#findings);
    this.#chunks = options.holdsLast ? exceptLast(rows, (row) => this.#keepLast(row)) : rows;
  }

  get nextMs(): number {
    // The next chunk may begin with an open that precedes the news on its way: read it first.
    const toldMs = Math.min(this.#candles.heardMs, this.#retryMs, this.#prices.heardMs);
    if (this.#at === this.#length) {
      return this.#isOver || this.#isInstant ? Math.min(this.#openMs(), toldMs) : NEVER;
    }
    return Math.min(this.#openMs(), toldMs, this.#moveMs());
  }

  get nextTurn(): Turn {
    if (this.#retryMs < NEVER) return TURNS.retrying;
    const newsMs = Math.min(this.#candles.heardMs, this.#prices.heardMs);
    if (this.#openMs() < newsMs) return TURNS.opening;
    if (newsMs === NEVER || this.#moveMs() <= newsMs) return TURNS.happening;
    return this.#candles.heardMs === newsMs ? TURNS.hearing : TURNS.hearingOpen;
  }

  /** Whether the next step is the close of a candle and nothing else: the fast path. */
  #happensNext(): boolean {
    if (this.#candles.heardMs < NEVER || this.#retryMs < NEVER) return false;
    if (this.#prices.heardMs < NEVER) return false;
    return this.#at < this.#length && this.#openMs() === NEVER && this.#walk.nextMs === NEVER;
  }

  /**
   * When the next candle opens, if that is a step: orders wait for it, opens are told, or it is the
   * last candle, kept back for its open. Infinite otherwise. Where orders wait for opens, the open
   * after a hole is always a step: an order may be made on the way, by the answer to a cancel.
   */
  #openMs(): number {
    if (this.#at === this.#length && (!this.#isOver || this.#last === undefined)) return NEVER;
    const { held, holdsOrders, tellOpen } = this.#options;
    const openMs = this.#columns.time[this.#at]!;
    if (openMs === this.#openedMs) return NEVER;
    if (this.#isOver || tellOpen !== undefined || held.dueMs <= openMs) return openMs;
    return holdsOrders && held.isInHole(openMs + this.#stepMs) ? openMs : NEVER;
  }

  /** When the next candle closes; infinite where the chunk is over. */
  #closeMs(): number {
    return this.#at === this.#length ? NEVER : this.#columns.time[this.#at]! + this.#stepMs;
  }

  /** When the next candle reaches its next price, the last of which is its close. */
  #moveMs(): number {
    return this.#at === this.#length ? NEVER : Math.min(this.#walk.nextMs, this.#closeMs());
  }

  get rows(): number {
    return this.#played + this.#at;
  }

  get missingMs(): number {
    // The findings see a whole chunk when it is read: take off what is not played yet.
    return this.#findings.missingMs - missingFrom(this.#columns, this.#at, this.#stepMs);
  }

  get missing(): string | undefined {
    return this.#findings.missing;
  }

  get findings(): readonly string[] {
    const { source, volumes } = this.#options;
    const others = [...(source.findings ?? []), ...this.#findings.list()];
    return volumes.isMost ? [...volumes.list(), ...others] : [...others, ...volumes.list()];
  }

  get firstPrice(): number | undefined {
    return this.#columns.open[this.#at];
  }

  async refill(): Promise<boolean> {
    this.recordPlayed();
    const next = await this.#chunks.next();
    this.#played += this.#length;
    this.#isOver = next.done === true;
    const rows = next.done === true ? NO_ROWS : next.value;
    this.#met = this.#options.model.metOf(rows);
    this.#columns = rows;
    this.#length = rows.time.length;
    this.#at = 0;
    // The last candle, kept back, opens like any other and never closes.
    if (this.#isOver && this.#last !== undefined) this.#columns = this.#met = this.#last;
    return !this.#isOver || this.nextMs < NEVER;
  }

  recordPlayed(): void {
    const { charts, volumes } = this.#options;
    charts.addCandles(this.market, this.#columns, this.#at);
    volumes.observe(this.#columns, this.#at);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  step(meters: Meters): void {
    this.#take(this.nextTurn, meters);
  }

  #take(turn: Turn, meters: Meters): void {
    switch (turn) {
      case TURNS.opening:
        this.#open(meters);
        break;
      case TURNS.hearing:
        this.#hear();
        break;
      case TURNS.retrying:
        this.#retry();
        break;
      case TURNS.hearingOpen:
        this.#hearPrice();
        break;
      default:
        this.#move(meters);
    }
  }

  /** Nothing to do: a candle is complete by itself. */
  settle(): void {}

  playAll(meters: Meters, slice: TimeSlice): void {
    while (this.#playNext(meters)) if (slice.isOver()) return;
  }

  #playNext(meters: Meters): boolean {
    const { clock } = this.#options;
    // Work still due at this time may send orders for an open of this time.
    if (clock.isDue && this.nextMs > clock.now() && this.nextMs < NEVER) {
      clock.runDue();
      return true;
    }
    return this.#happensNext() ? this.#playClose(meters) : this.#playTurn(meters);
  }

  /** A candle closes next: plays the close, or first the meter that is due before it. */
  #playClose(meters: Meters): true {
    const closeMs = this.#closeMs();
    if (closeMs > meters.dueMs) this.#sample(meters, closeMs);
    else this.#passClose(closeMs, meters);
    return true;
  }

  /** Plays whatever comes next, which need not be a close. False when nothing is left. */
  #playTurn(meters: Meters): boolean {
    const { nextMs } = this;
    if (nextMs === NEVER) return false;
    const turn = this.nextTurn;
    if (turn === TURNS.opening) {
      if (meters.leadToOpen(nextMs, this.#options.clock)) return true;
      meters.passToOpen(nextMs);
    } else if (nextMs > meters.dueMs) {
      this.#sample(meters, nextMs);
      return true;
    }
    if (turn === TURNS.happening && this.#walk.nextMs === NEVER) this.#passClose(nextMs, meters);
    else this.#take(turn, meters);
    return true;
  }

  #passClose(closeMs: number, meters: Meters): void {
    this.#happen(this.#at++, meters);
    // With a single market nothing can happen in between.
    if (this.#candles.heardMs === closeMs) this.#hear();
  }

  /** Serves the meter that is due; answers and pushes heard by then count in its sample. */
  #sample(meters: Meters, nextMs: number): void {
    this.#options.clock.advanceTo(meters.dueMs);
    meters.passTo(nextMs);
  }

  #keepLast(row: CandleColumns): void {
    this.#last = row;
  }

  /** A candle opens: orders that waited for it trade there. */
  #open(meters: Meters): void {
    const [rows, at] = [this.#met, this.#at];
    const { clock, model, held, tellOpen, walks } = this.#options;
    const openMs = rows.time[at]!;
    this.#openedMs = openMs;
    const open = rows.open[at]!;
    const lastsMs = this.#stepMs;
    if (walks) this.#walk.begin(model.path(rows, at), { open, openMs, lastsMs });
    if (tellOpen) this.#prices.send(open, openMs);
    clock.advanceTo(openMs);
    meters.catchUp(openMs);
    this.#isAt(open);
    held.moves(openMs + lastsMs);
    model.open(rows, at);
    held.release(openMs);
  }

  /** The open candle reaches its next price, the last of which is its close. */
  #move(meters: Meters): void {
    const { clock, model } = this.#options;
    const moveMs = this.#walk.nextMs;
    if (moveMs === NEVER) {
      this.#happen(this.#at++, meters);
      return;
    }
    const next = this.#walk.next();
    if (next === undefined) return;
    this.#prices.send(next, moveMs);
    clock.advanceTo(moveMs);
    this.#isAt(next);
    model.reach(next);
  }

  /** The market reaches a price, known to the bot at once where nothing delays it. */
  #isAt(last: number): void {
    const { price } = this.#options;
    if (this.#isInstant) price.reach(last);
    else price.last = last;
  }

  /** A candle closes at the exchange and its market has a new price; nobody has heard of it yet. */
  #happen(at: number, meters: Meters): void {
    const { source, clock, model, price, held, feedMs, hearing, walks } = this.#options;
    const { time, open, high, low, close, volume } = this.#columns;
    const openTime = time[at]!;
    const exchangeTime = openTime + this.#stepMs;
    const receivedTime = hearing?.closeMs(exchangeTime) ?? exchangeTime + feedMs;
    // Timers of this very moment run after the close: they trade at it and cancel what is left.
    clock.advanceShortOf(exchangeTime);
    meters.catchUp(exchangeTime);
    // A fill at the open is compared with that open, not with the close before a gap.
    if (!walks) this.#isAt(open[at]!);
    held.moves(exchangeTime);
    model.play(this.#met, at);
    price.passCandle(this.#columns, at);
    if (this.#isInstant) price.reach(close[at]!);
    else price.send(close[at]!, receivedTime);
    held.closes(exchangeTime + this.#stepMs);
    if (walks) this.#prices.send(close[at]!, exchangeTime);
    this.#prices.volume = volume[at]!;
    this.#candles.send({
      kind: 'candle',
      market: this.market,
      interval: source.interval,
      openTime,
      open: open[at]!,
      high: high[at]!,
      low: low[at]!,
      close: close[at]!,
      volume: volume[at]!,
      closed: true,
      exchangeTime,
      receivedTime,
    });
  }

  /** Strategies hear of the next candle on its way. */
  #hear(): void {
    const { clock, publish, engine, best, tellOpen } = this.#options;
    clock.advanceTo(this.#candles.heardMs);
    const candle = this.#candles.take();
    publish(candle);
    // Of several candles heard at one moment only the newest makes a book.
    if (tellOpen === undefined && this.#candles.heardMs > clock.now()) {
      best.around(candle.close, { timeMs: candle.exchangeTime, amount: candle.volume });
    }
    engine.askAgain();
    if (engine.isPausing(this.market)) this.#retryMs = clock.now();
  }

  /** Retries orders that met no price before this candle; wishes due at this moment go first. */
  #retry(): void {
    const { clock } = this.#options;
    clock.runDue();
    this.#retryMs = NEVER;
    this.#options.engine.endPauses(this.market);
  }

  /** Strategies hear that a candle opened or reached a price. */
  #hearPrice(): void {
    const { clock, engine, model, walks } = this.#options;
    this.#prices.hear();
    const mayRetry = walks && !model.isSpent;
    if (mayRetry && engine.isPausing(this.market)) this.#retryMs = clock.now();
  }
}
