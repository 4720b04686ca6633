import type { Market } from '../../domain/index.ts';
import type { BacktestConfig } from './config.ts';
import { OpenTrades } from './open-trades.ts';
import type { Stage } from './stage.ts';

/** How far the closing order may go beyond the last price, apart from slippage: a fraction. */
const ROOM = 0.005;
const BASIS_POINTS = 10_000;
/** The most that any target may go beyond the price. */
const ROOM_MAX = 0.99;
/** Rounds that may pass without a change, as while an order is still on its way. */
const IDLE_ROUNDS = 3;
/** How many round trips the end of an order is waited for: latencies that are drawn differ. */
const WAITS_MAX = 100;

interface Closing {
  readonly market: Market;
  readonly trades: OpenTrades;
}

/**
 * Stops the strategies, then sells, or buys back, what their open trades hold. It works like any
 * target of theirs, through risk and executor and in as many orders as risk makes of it, but
 * without the volume cap. As with a target, what the fee of the last order leaves over stays.
 */
export function flatten(stage: Stage, { fill }: Pick<BacktestConfig, 'fill'>): void {
  const { bot, exchange, clock, latency, prices } = stage;
  const { gate, engine } = bot;
  const { strategies, executor, positions, orders } = bot.sources;
  engine.stopStrategies('the data are over');
  for (const { name } of strategies) executor.withdraw(name);
  // Orders waiting for a candle after the last one must not leave.
  exchange.held.end();
  for (const entry of exchange.models.values()) if (entry.kind === 'candles') entry.model.liftCap();
  const held = (): string =>
    strategies
      .flatMap(({ name, markets }) => markets.map(({ id }) => positions.position(id, name).amount))
      .join();
  const close = (strategy: string, { market, trades }: Closing): void => {
    const { id, amountScale } = market;
    const { amount } = positions.position(id, strategy);
    if (amount.abs().round(amountScale, 'down').sign === 0 || !trades.has(strategy, id)) return;
    const slippage = roomFor(market, { fill, price: prices.cell(id).last });
    const target = { kind: 'target', market: id, position: 0, slippage } as const;
    const { approved } = gate.intent(strategy, target);
    if (approved !== undefined) executor.wish(strategy, approved);
  };
  for (let round = 0, before = ''; round < IDLE_ROUNDS || held() !== before; round++) {
    before = held();
    const trades = new OpenTrades(stage);
    for (const { name, markets } of strategies) {
      for (const market of markets) close(name, { market, trades });
    }
    for (let waits = 0; waits === 0 || (orders.liveCount > 0 && waits < WAITS_MAX); waits++) {
      const nowMs = clock.now();
      clock.advanceBy(latency.request(nowMs) + latency.answer(nowMs));
    }
    // The target of this round is done; withdrawn, it does not delay the next.
    if (orders.liveCount === 0) for (const { name } of strategies) executor.withdraw(name);
  }
}

/** How far the closing order may go beyond a price, slippage included: a fraction. */
function roomFor(
  { priceScale }: Market,
  { fill, price }: Pick<BacktestConfig, 'fill'> & { readonly price: number },
): number {
  if (fill.model !== 'candles') return ROOM;
  const { steps, basisPoints } = fill.slippage;
  const slippage = basisPoints / BASIS_POINTS + (steps * 10 ** -priceScale) / price;
  return Math.min(ROOM_MAX, ROOM + slippage);
}
