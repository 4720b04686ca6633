import { Subscription } from 'rxjs';
import type { Market } from '../../domain/index.ts';
import {
  type Clock,
  DAY_MS,
  dateMs,
  formatMoment,
  type Logger,
  MINUTE_MS,
  timeOfDay,
} from '../../kernel/index.ts';
import {
  blackoutEndMs,
  marketLimitsOf,
  nextBlackoutMs,
  type RiskConfig,
} from '../../risk/index.ts';

/** How often the date is looked at on a clock whose date may be set: nothing announces that. */
const DATE_LOOK_MS = MINUTE_MS;

type Windows = RiskConfig['blackouts'];

export interface BlackoutsOptions {
  readonly clock: Clock;
  readonly markets: ReadonlyMap<string, Market>;
  readonly risk: RiskConfig;
}

/** Tells which markets of a run are in a blackout, by the date, and until when. */
export class Blackouts {
  readonly #options: BlackoutsOptions;

  constructor(options: BlackoutsOptions) {
    this.#options = options;
  }

  /** Until when nothing is opened in the market, such as `14:30 UTC`; undefined: no blackout. */
  untilText(market: string): string | undefined {
    const nowMs = dateMs(this.#options.clock);
    const endMs = blackoutEndMs(this.#windowsOf(market), nowMs);
    return endMs === undefined ? undefined : untilText(endMs, nowMs);
  }

  /** Logs when blackouts begin and when they are over, until it is unsubscribed. */
  follow(logger: Logger): Subscription {
    const all = new Subscription();
    const ids = [...this.#options.markets.keys()];
    for (const [windows, markets] of Map.groupBy(ids, (id) => this.#windowsOf(id))) {
      if (windows.length > 0) this.#follow(windows, { all, logger, name: markets.join(', ') });
    }
    return all;
  }

  #follow(windows: Windows, { all, logger, name }: Followed): void {
    const { clock } = this.#options;
    const lookMs = clock.wallMs === undefined ? Number.POSITIVE_INFINITY : DATE_LOOK_MS;
    let toldMs: number | undefined;
    const look = (): number => {
      const nowMs = dateMs(clock);
      const endMs = blackoutEndMs(windows, nowMs);
      if (endMs !== undefined && endMs !== toldMs) {
        const what = `a blackout of ${name} until ${untilText(endMs, nowMs)}`;
        logger.info({}, `${what}: only orders that shrink a position leave`);
      }
      if (endMs === undefined && toldMs !== undefined) {
        logger.info({}, `the blackout of ${name} is over`);
      }
      toldMs = endMs;
      return Math.min((endMs ?? nextBlackoutMs(windows, nowMs)) - nowMs, lookMs);
    };
    const waitMs = look();
    if (waitMs === Number.POSITIVE_INFINITY) return;
    all.add(
      clock.schedule(function again() {
        const nextMs = look();
        if (nextMs < Number.POSITIVE_INFINITY) this.schedule(undefined, nextMs);
      }, waitMs),
    );
  }

  #windowsOf(market: string): Windows {
    return marketLimitsOf(this.#options.risk, market).blackouts;
  }
}

interface Followed {
  readonly all: Subscription;
  readonly logger: Logger;
  /** The markets, in words. */
  readonly name: string;
}

/** `14:30 UTC`, with its date where that is more than a day away. */
function untilText(endMs: number, nowMs: number): string {
  if (endMs === Number.POSITIVE_INFINITY) return 'the settings change';
  const text = endMs - nowMs > DAY_MS ? formatMoment(endMs) : timeOfDay(endMs);
  return text.replace(/:00 UTC$/, ' UTC');
}
