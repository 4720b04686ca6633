import { CONTRACT_LIMITS } from '../../../exchange/index.ts';
import { type Clock, MINUTE_MS, type Random } from '../../../kernel/index.ts';
import type { Span } from '../data/findings/span.ts';
import type { Period } from '../data/period.ts';
import type { Source } from '../data/source.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { type Asking, type Hearing, PolledHearing, PushedHearing } from './hearing.ts';
import type { BacktestLatency, RowLatency } from './latency.ts';
import { type HeardKind, polledKinds } from './polled-kinds.ts';

/** When candles are heard, milliseconds since the epoch. To be asked in order of time. */
export interface CandleHearing {
  /** When a candle that closes at `timeMs` is heard. */
  closeMs(timeMs: number): number;
  /** When the open of a candle that opens at `timeMs` is heard. */
  openMs(timeMs: number): number;
}

export interface HearingsParts {
  readonly sources: readonly Source[];
  readonly latency: Pick<BacktestLatency, 'rows' | 'candlesMs'>;
  readonly outages: readonly Span[];
  readonly period: Period;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/** Tells when market data are heard in a run that simulates polls, outages or both. */
export class Hearings {
  readonly #deployment: BacktestDeployment;
  readonly #parts: HearingsParts;
  readonly #polled: ReadonlySet<HeardKind>;
  /** The moment of a minute at which the bot began to poll, drawn at random; milliseconds. */
  readonly #startMs: number;

  constructor(deployment: BacktestDeployment, parts: HearingsParts) {
    this.#deployment = deployment;
    this.#parts = parts;
    const { polls } = deployment.backtest.simulate;
    this.#polled = new Set(polls ? polledKinds(deployment.config.data) : []);
    this.#startMs = parts.random.fork('polls').integer(MINUTE_MS);
  }

  /**
   * The latency of rows that reach the bot by `hearing`. A row with an earlier time than one before
   * it happens when it is played, since nothing reaches the bot before that.
   */
  rowsMs(source: Source, hearing: Hearing): RowLatency {
    const { clock, latency: latencies } = this.#parts;
    const latency = latencies.rows.get(source.market.id);
    return (rows, at) => {
      const timeMs = rows.time[at]!;
      const takesMs = latency?.(rows, at) ?? 0;
      return hearing.heardMs(Math.max(timeMs, clock.now()), takesMs) - timeMs;
    };
  }

  /** When the candles of a market are heard. Those built of trades wait for the trades. */
  candles(source: Source): CandleHearing {
    const { candlesMs: takesMs } = this.#parts.latency;
    const { candles, candleGraceMs } = this.#deployment.config.data;
    const ofBook = this.of(source, 'depth');
    const openMs = (timeMs: number): number => ofBook.heardMs(timeMs, takesMs);
    const told = this.of(source, candles === 'venue' ? 'candles' : 'trades');
    const isBuilt = candles === 'trades' && this.#polled.has('trades');
    const graceMs = isBuilt ? candleGraceMs : 0;
    const closeMs = (timeMs: number): number =>
      Math.max(timeMs + graceMs, told.heardMs(timeMs, takesMs));
    return { closeMs, openMs };
  }

  /** A new hearing for one caller: its state follows the order in which it is asked. */
  of(source: Source, kind: HeardKind): Hearing {
    const { outages } = this.#parts;
    if (!this.#polled.has(kind)) return new PushedHearing(outages);
    return new PolledHearing(this.#asking(source, kind), outages);
  }

  /** When an event at the beginning of an outage is heard. A latency that varies counts as 0. */
  backMs(source: Source, { kind, outage }: { kind: HeardKind; outage: Span }): number {
    return this.of(source, kind).heardMs(outage.fromMs, this.#parts.latency.candlesMs);
  }

  /** The least time that a candle built of trades waits for them, milliseconds. */
  get graceMs(): number {
    const { candleGraceMs, tradesPollMs } = this.#deployment.config.data;
    if (!this.#polled.has('trades')) return candleGraceMs;
    return Math.max(candleGraceMs, tradesPollMs + this.#parts.latency.candlesMs + 1);
  }

  #asking(source: Source, kind: HeardKind): Asking {
    const { data } = this.#deployment.config;
    const { requestTimeoutMs: timeoutMs, backoffMaxMs } = data;
    const pollMs = { depth: data.depthPollMs, trades: data.tradesPollMs };
    const { everyMs, behindMs } =
      kind === 'candles' ? this.#candleTurns(source) : { everyMs: pollMs[kind], behindMs: 0 };
    const { warmFromMs } = this.#parts.period;
    const phaseMs = this.#startMs + behindMs;
    const sinceMs = (((warmFromMs - phaseMs) % everyMs) + everyMs) % everyMs;
    return { firstMs: warmFromMs - sinceMs, everyMs, timeoutMs, backoffMaxMs };
  }

  /** Candles are polled market after market, with the pause between them that the venue wants. */
  #candleTurns({ market }: Source): { readonly everyMs: number; readonly behindMs: number } {
    const { sources, latency } = this.#parts;
    const turnMs = CONTRACT_LIMITS.candleIntervalMs + latency.candlesMs;
    const asked = sources.filter(({ kind }) => kind === 'candles');
    const { candlesPollMs } = this.#deployment.config.data;
    return {
      everyMs: Math.max(candlesPollMs, asked.length * turnMs),
      behindMs: turnMs * asked.findIndex((one) => one.market.id === market.id),
    };
  }
}
