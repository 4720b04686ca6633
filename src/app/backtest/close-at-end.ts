import type { Market } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import type { BacktestConfig } from './config.ts';
import { OpenTrades } from './open-trades.ts';
import type { Stage } from './stage.ts';

/** How far the closing order may go beyond the last price, slippage apart: as a fraction. */
const ROOM = 0.005;
const BASIS_POINTS = 10_000;
/** No target may go further. */
const ROOM_MAX = 0.99;
/** How often it is tried though that changes nothing, as behind an order that is under way. */
const IDLE_ROUNDS = 3;
/** How many latencies are waited for the end of an order: those that are drawn differ. */
const WAITS_MAX = 100;

/**
 * Sells, or buys back, what the open trades of strategies hold, whatever the volume cap says: the same
 * way as any target of theirs, through risk and executor, in as many orders as risk makes of it. What
 * the fee of the last one takes stays, as it does of a target. The strategies are stopped before.
 */
export function flatten(stage: Stage, { fill }: Pick<BacktestConfig, 'fill'>): void {
  const { bot, exchange, clock, latency, prices } = stage;
  const { gate, engine } = bot;
  const { strategies, executor, positions, orders } = bot.sources;
  engine.stopStrategies('the data are over');
  for (const { name } of strategies) executor.withdraw(name);
  // What waits for a candle behind the last one must not leave.
  exchange.held.end();
  for (const entry of exchange.models.values()) if (entry.kind === 'candles') entry.model.liftCap();
  const rests = new Rests(stage);
  const held = (): string =>
    strategies
      .flatMap(({ name, markets }) => markets.map(({ id }) => positions.position(id, name).amount))
      .join();
  const close = (strategy: string, market: Market): void => {
    const { id, amountScale } = market;
    const { amount } = positions.position(id, strategy);
    const way = amount.abs().minus(rests.of(strategy, id));
    if (way.round(amountScale, 'down').sign <= 0) return;
    const slippage = roomFor(market, { fill, price: prices.cell(id).last });
    const target = { kind: 'target', market: id, position: 0, slippage } as const;
    const { approved } = gate.intent(strategy, target);
    if (approved !== undefined) executor.wish(strategy, approved);
  };
  for (let round = 0, before = ''; round < IDLE_ROUNDS || held() !== before; round++) {
    before = held();
    for (const { name, markets } of strategies) for (const market of markets) close(name, market);
    for (let waits = 0; waits === 0 || (orders.liveCount > 0 && waits < WAITS_MAX); waits++) {
      const nowMs = clock.now();
      clock.advanceBy(latency.request(nowMs) + latency.answer(nowMs));
    }
    // What was wished is over: its pace is no measure of the next.
    if (orders.liveCount === 0) for (const { name } of strategies) executor.withdraw(name);
  }
}

/** What fees left of trades that are over, or may leave of those that are being closed: it stays. */
class Rests {
  /** By strategy and market: of the newest order, once there is one. */
  readonly #rests = new Map<string, { clientOrderId?: string; rest: Decimal }>();

  constructor(stage: Stage) {
    const { strategies, markets, orders, positions } = stage.bot.sources;
    const trades = new OpenTrades(stage);
    for (const { name, markets } of strategies) {
      for (const { id } of markets) {
        if (trades.has(name, id)) continue;
        const rest = positions.position(id, name).amount.abs();
        this.#rests.set(`${name} ${id}`, { rest });
      }
    }
    orders.bookings.subscribe(({ strategy, market, clientOrderId, fee, feeCurrency }) => {
      const key = `${strategy} ${market}`;
      const former = this.#rests.get(key);
      const before = former?.clientOrderId === clientOrderId ? former.rest : Decimal.ZERO;
      const isBase = feeCurrency === markets.get(market)?.base;
      this.#rests.set(key, { clientOrderId, rest: isBase ? before.plus(fee) : before });
    });
  }

  of(strategy: string, market: string): Decimal {
    return this.#rests.get(`${strategy} ${market}`)?.rest ?? Decimal.ZERO;
  }
}

/** How far the closing order may go beyond a price: as a fraction. */
function roomFor(
  { priceScale }: Market,
  { fill, price }: Pick<BacktestConfig, 'fill'> & { readonly price: number },
): number {
  if (fill.model !== 'candles') return ROOM;
  const { steps, basisPoints } = fill.slippage;
  const slippage = basisPoints / BASIS_POINTS + (steps * 10 ** -priceScale) / price;
  return Math.min(ROOM_MAX, ROOM + slippage);
}
