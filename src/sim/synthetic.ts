import type { Subscription } from 'rxjs';
import type { Clock, Random } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';
import { FairValue } from './fair-value.ts';
import type { Liquidity } from './liquidity.ts';
import { amountFor, MakerLadder, priceNear } from './maker-ladder.ts';
import { NoiseTraders } from './noise-traders.ts';
import type { MinuteBar } from './simulated-market.ts';
import { syntheticHistory } from './synthetic-history.ts';
import { type Taker, TakerFlow } from './taker-flow.ts';

/** The longest time that one step plays: a suspended host resumes without the time it missed. */
const STEP_MAX_MS = 10_000;
/** How far beyond the fair value a taker goes at most, in spreads. */
const REACH_IN_SPREADS = 8;
/** How far an average trade moves the fair value, in spreads; it grows with the root of its size. */
const IMPACT_IN_SPREADS = 0.05;

export interface SyntheticMarketOptions {
  readonly liquidity: Liquidity;
  readonly clock: Clock;
  readonly random: Random;
  readonly parameters: SyntheticParameters;
  /** Receives the minutes before the start, `historyHours` of them. Default: no history is made. */
  readonly seedHistory?: (minutes: readonly MinuteBar[]) => void;
}

/**
 * Starts a seeded, believable market: makers around a fair value whose volatility comes in clusters,
 * takers who draw further takers, and noise traders. It runs until unsubscribed; its resting orders
 * then stay.
 *
 * It ignores the accounts' orders: it trades with them by price and time, but does not react to
 * them. The same seed on the same clock gives the same market.
 */
export function startSyntheticMarket(options: SyntheticMarketOptions): Subscription {
  const { clock, parameters } = options;
  const market = new SyntheticMarket(options);
  market.begin();
  return clock.schedule(function () {
    market.step();
    this.schedule(undefined, parameters.stepMs);
  }, parameters.stepMs);
}

class SyntheticMarket {
  readonly #options: SyntheticMarketOptions;
  readonly #fair: FairValue;
  readonly #makers: MakerLadder;
  readonly #takers: TakerFlow;
  readonly #noise: NoiseTraders;
  #steppedAtMs: number;

  constructor(options: SyntheticMarketOptions) {
    const { liquidity, parameters, random } = options;
    this.#options = options;
    this.#steppedAtMs = options.clock.now();
    this.#fair = new FairValue(parameters, random.fork('fair value'));
    this.#takers = new TakerFlow(parameters, random.fork('takers'));
    this.#makers = new MakerLadder({ liquidity, parameters, random: random.fork('makers') });
    this.#noise = new NoiseTraders({ liquidity, parameters, random: random.fork('noise') });
  }

  begin(): void {
    const { liquidity, parameters, random, clock, seedHistory } = this.#options;
    const history = { parameters, market: liquidity.market, nowMs: clock.now() };
    seedHistory?.(syntheticHistory(this.#fair, { ...history, random: random.fork('history') }));
    this.#makers.follow(this.#fair);
  }

  step(): void {
    const nowMs = this.#options.clock.now();
    const durationMs = Math.min(STEP_MAX_MS, Math.max(0, nowMs - this.#steppedAtMs));
    this.#steppedAtMs = nowMs;
    this.#fair.advance(durationMs);
    this.#makers.follow(this.#fair);
    this.#noise.act({ nowMs, durationMs }, this.#fair);
    const { turbulence } = this.#fair;
    for (const taker of this.#takers.arrivals({ durationMs, turbulence })) this.#take(taker);
  }

  #take({ side, value }: Taker): void {
    const { liquidity, parameters } = this.#options;
    const { spread, tradeValue } = parameters;
    const sign = side === 'buy' ? 1 : -1;
    const reach = 1 + sign * REACH_IN_SPREADS * spread * (1 + this.#fair.turbulence);
    const price = priceNear(liquidity, this.#fair.price * reach);
    if (price <= 0) return;
    const amount = amountFor(liquidity, { price, value });
    liquidity.addOrder({ side, type: 'ioc', price, amount });
    this.#fair.push(sign * IMPACT_IN_SPREADS * spread * Math.sqrt(value / tradeValue));
  }
}
