import {
  compareIds,
  type DataStream,
  type Depth,
  midOf,
  type Ticker,
  type Trade,
  type TradingEvent,
} from '../domain/index.ts';
import { type Bus, type Clock, FewMap } from '../kernel/index.ts';
import type { MarketConfig } from './config.ts';

/** What is known of one market. */
class MarketPicture {
  depth: Depth | undefined;
  /** The newest depth with both sides, kept when a depth without one of them comes. */
  whole: Depth | undefined;
  ticker: Ticker | undefined;
  tradeId = '';
  /** NaN before the first price: always a number, so that no trade has to allocate a new one. */
  last = Number.NaN;
  readonly stale = new Set<DataStream>();
}

export interface MarketViewOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  /** Age of the newest depth and ticker, milliseconds, from which on they do not count as fresh. */
  readonly staleAfterMs: Pick<MarketConfig['staleAfterMs'], 'depth' | 'ticker'>;
}

/** Whether there are both sides and they do not meet: no other book can be traded on. */
function isSound({ bids: [bid], asks: [ask] }: Depth): boolean {
  return bid !== undefined && ask !== undefined && bid[0] < ask[0];
}

const hasBothSides = ({ bids, asks }: Depth): boolean => bids.length > 0 && asks.length > 0;

/** The newest prices of every market on the bus, and whether they can be trusted. */
export class MarketView {
  /** A venue's books contain our own orders. */
  readonly showsOwn = true;
  readonly #clock: Clock;
  readonly #staleAfterMs: MarketViewOptions['staleAfterMs'];
  readonly #pictures = new FewMap<string, MarketPicture>();
  #connected = true;

  constructor({ clock, bus, staleAfterMs }: MarketViewOptions) {
    this.#clock = clock;
    this.#staleAfterMs = staleAfterMs;
    bus.listen('depth', (depth) => this.#onDepth(depth));
    bus.listen('ticker', (ticker) => this.#onTicker(ticker));
    bus.listen('trade', (trade) => this.#onTrade(trade));
    bus.on('freshness').subscribe(({ market, stream, fresh }) => {
      const { stale } = this.#picture(market);
      if (fresh) stale.delete(stream);
      else stale.add(stream);
    });
    bus.on('connection').subscribe(({ channel, connected }) => {
      if (channel === 'market') this.#connected = connected;
    });
  }

  /** The newest depth as the venue gave it, undefined before the first. */
  depth(market: string): Depth | undefined {
    return this.#pictures.get(market)?.depth;
  }

  /** Price of the newest trade or ticker, whichever came later; undefined before the first. */
  last(market: string): number | undefined {
    const last = this.#pictures.get(market)?.last;
    return last === undefined || Number.isNaN(last) ? undefined : last;
  }

  /** Halfway between the sides of the newest depth that had both; undefined before the first. */
  lastMiddle(market: string): number | undefined {
    const picture = this.#pictures.get(market);
    if (picture?.depth === undefined) return undefined;
    return midOf(picture.depth) ?? (picture.whole && midOf(picture.whole));
  }

  /**
   * Whether the market's prices can be trusted now.
   *
   * The connection must stand. A recent depth decides: it must have both sides and not be crossed.
   * A depth reported stale is never fresh. Without a recent depth the ticker decides in the same
   * way.
   */
  isFresh(market: string): boolean {
    const picture = this.#pictures.get(market);
    if (picture === undefined || !this.#connected || picture.stale.has('depth')) return false;
    const { depth, ticker } = picture;
    if (depth !== undefined && this.#isYoung(depth, 'depth')) return isSound(depth);
    if (ticker === undefined || picture.stale.has('ticker')) return false;
    return this.#isYoung(ticker, 'ticker') && ticker.bid > 0 && ticker.bid < ticker.ask;
  }

  /**
   * When the data gets, or got, too old to be fresh, milliseconds since the epoch; infinite without
   * data.
   */
  freshUntilMs(market: string): number {
    const { depth, ticker } = this.#pictures.get(market) ?? {};
    const ofDepthMs = depth && this.#oldAtMs(depth, 'depth');
    const isDecided = ofDepthMs !== undefined && this.#clock.now() < ofDepthMs;
    if (isDecided || ticker === undefined) return ofDepthMs ?? Number.POSITIVE_INFINITY;
    return Math.max(ofDepthMs ?? 0, this.#oldAtMs(ticker, 'ticker'));
  }

  #isYoung(record: Depth | Ticker, kind: 'depth' | 'ticker'): boolean {
    return this.#clock.now() < this.#oldAtMs(record, kind);
  }

  #oldAtMs({ receivedTime }: Depth | Ticker, kind: 'depth' | 'ticker'): number {
    return receivedTime + this.#staleAfterMs[kind];
  }

  #onDepth(depth: Depth): void {
    const picture = this.#picture(depth.market);
    if (!hasBothSides(depth) && picture.depth !== undefined && hasBothSides(picture.depth)) {
      picture.whole = picture.depth;
    }
    picture.depth = depth;
  }

  #onTicker(ticker: Ticker): void {
    const picture = this.#picture(ticker.market);
    picture.ticker = ticker;
    if (ticker.last > 0) picture.last = ticker.last;
  }

  /** A late trade, of a lower id, does not bring its old price back. */
  #onTrade({ market, id, price }: Trade): void {
    const picture = this.#picture(market);
    if (compareIds(id, picture.tradeId) < 0) return;
    picture.tradeId = id;
    picture.last = price;
  }

  #picture(market: string): MarketPicture {
    let picture = this.#pictures.get(market);
    if (picture === undefined) {
      picture = new MarketPicture();
      this.#pictures.set(market, picture);
    }
    return picture;
  }
}
