import {
  DEPTH_EVENTS,
  type DepthColumns,
  type Side,
  type TradeColumns,
} from '../../../src/domain/index.ts';
import { DepthModel } from '../../../src/sim/models/depth.ts';
import { depthModelSchema } from '../../../src/sim/models/depth-config.ts';
import { TradesModel } from '../../../src/sim/models/trades.ts';
import { tradesModelSchema } from '../../../src/sim/models/trades-config.ts';
import { answerOf, collect, exchangeFixture, MARKET, place, START_MS } from '../fixture.ts';

/** One public trade. */
export interface TradeRow {
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  /** Milliseconds after the start. Default: 0. */
  readonly afterMs?: number;
}

/** One row of depth; `update` defaults to its place, so that each row is an update of its own. */
export interface DepthRow {
  readonly event: 'snapshot' | 'change' | 'trade' | 'gap';
  readonly side?: Side;
  readonly price?: number;
  readonly amount?: number;
  readonly update?: number;
  readonly afterMs?: number;
}

export function tradeColumns(rows: readonly TradeRow[]): TradeColumns {
  return {
    time: Float64Array.from(rows, ({ afterMs = 0 }) => START_MS + afterMs),
    received: new Float64Array(rows.length).fill(Number.NaN),
    price: Float64Array.from(rows, ({ price }) => price),
    amount: Float64Array.from(rows, ({ amount }) => amount),
    side: Float64Array.from(rows, ({ side }) => (side === 'buy' ? 1 : -1)),
  };
}

export function depthColumns(rows: readonly DepthRow[]): DepthColumns {
  return {
    time: Float64Array.from(rows, ({ afterMs = 0 }) => START_MS + afterMs),
    received: new Float64Array(rows.length).fill(Number.NaN),
    update: Float64Array.from(rows, ({ update }, at) => update ?? at + 1_000_000),
    event: Float64Array.from(rows, ({ event }) => DEPTH_EVENTS[event]),
    side: Float64Array.from(rows, ({ side = 'buy' }) => (side === 'buy' ? 1 : -1)),
    price: Float64Array.from(rows, ({ price = 0 }) => price),
    amount: Float64Array.from(rows, ({ amount = 0 }) => amount),
  };
}

/** Rows of a whole book, one update. */
export function snapshotRows(
  book: { bids?: readonly [number, number][]; asks?: readonly [number, number][] },
  update = 1,
): DepthRow[] {
  const rows = (side: Side, levels: readonly [number, number][] = []): DepthRow[] =>
    levels.map(([price, amount]) => ({ event: 'snapshot', side, price, amount, update }));
  return [...rows('buy', book.bids), ...rows('sell', book.asks)];
}

function accountFixture() {
  const parts = exchangeFixture();
  const { alice, exchange } = parts;
  const fills = collect(alice.accountFeed.orders(MARKET.id));
  return {
    ...parts,
    pushes: fills,
    /** Places an order of alice: its id. */
    order: (terms: Parameters<typeof place>[1]) => place(alice, terms),
    cancel: (id: string) =>
      answerOf(alice.trading.cancel({ market: MARKET.id, exchangeOrderId: id })),
    /** What of an order is filled. */
    filled: (id: string) => recordOf(id).filledAmount as number,
    /** Mean price of its fills, to nine places. */
    filledPrice: (id: string) => {
      const { filledValue, filledAmount } = recordOf(id);
      return Math.round((Number(filledValue.toString()) / filledAmount) * 1e9) / 1e9;
    },
    total: (currency: string) => exchange.totalOf(currency).toString(),
  };

  function recordOf(id: string) {
    return answerOf(alice.trading.order({ market: MARKET.id, exchangeOrderId: id }));
  }
}

/** An exchange whose orders fill from trades; by default nobody waits before an own order. */
export function tradesFixture(settings: object = { queueAhead: 'none' }) {
  const parts = accountFixture();
  const parsed = tradesModelSchema.parse({ model: 'trades', ...settings });
  const model = parts.exchange.fillBy(MARKET.id, (market) => new TradesModel(market, parsed));
  const play = (...rows: readonly TradeRow[]): void => {
    const columns = tradeColumns(rows);
    for (let at = 0; at < rows.length; at = model.play(columns, at));
  };
  return { ...parts, model, play };
}

/** An exchange whose orders fill from depth. */
export function depthFixture(settings: object = {}) {
  const parts = accountFixture();
  const parsed = depthModelSchema.parse({ model: 'depth', ...settings });
  const model = parts.exchange.fillBy(MARKET.id, (market) => new DepthModel(market, parsed));
  const play = (...rows: readonly DepthRow[]): void => {
    const columns = depthColumns(rows);
    for (let at = 0; at < rows.length; at = model.play(columns, at));
  };
  return { ...parts, model, play };
}
