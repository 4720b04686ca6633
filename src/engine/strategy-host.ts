import { defer, type Observable, Subscription, UnsubscriptionError } from 'rxjs';
import {
  type EventOf,
  type Intent,
  intentOf,
  type Market,
  type TradingEvent,
} from '../domain/index.ts';
import type { Blot, Bus, Clock, Logger, Random } from '../kernel/index.ts';
import {
  type ContextSources,
  createContext,
  type StrategyDefinition,
  strategyRefusals,
} from '../strategy/index.ts';
import { startReason } from './start-reason.ts';
import { strategyClock } from './strategy-clock.ts';
import { failureOf } from './strategy-failure.ts';
import { writeLine } from './strategy-log.ts';

/** A strategy as a deployment runs it. */
export interface StrategyInstance {
  /** Unique in the deployment. */
  readonly name: string;
  readonly definition: StrategyDefinition;
  /** As parsed by the definition's schema. */
  readonly params: unknown;
  readonly markets: readonly Market[];
}

type StrategyEvent = EventOf<'strategy'>;

/** The status of a strategy: `waiting` until it is started. */
export interface StrategyReport {
  readonly name: string;
  readonly status: StrategyEvent['status'] | 'waiting';
  readonly reason: string;
}

export interface StrategyHostOptions {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly random: Random;
  readonly sources: ContextSources & { readonly logger: Logger };
  readonly instances: readonly StrategyInstance[];
  /** Removes secrets from texts of strategies. Default: nothing is removed. */
  readonly blot?: Blot | undefined;
  /**
   * Makes a strategy's clock, whose timers are numbered in such steps. Default: `strategyClock` on
   * the run's clock.
   */
  readonly clockOf?: (strategy: string, step: number) => Clock;
  /** Takes every intent, in order. */
  readonly onIntent: (strategy: string, intent: Intent) => void;
  /** Called when a strategy is over, before that is published: its wishes must be withdrawn. */
  readonly onOver: (strategy: string) => void;
}

/**
 * Runs the strategies and contains their failures: one that throws or ends loses its wishes, never
 * the process or another strategy.
 */
export class StrategyHost {
  readonly #options: StrategyHostOptions;
  readonly #running = new Map<string, Subscription>();
  readonly #reports = new Map<string, StrategyReport>();

  constructor(options: StrategyHostOptions) {
    this.#options = options;
    for (const { name } of options.instances) {
      this.#reports.set(name, { name, status: 'waiting', reason: 'not started yet' });
    }
  }

  /** The status of every strategy, in the order of the deployment. */
  get reports(): readonly StrategyReport[] {
    return [...this.#reports.values()];
  }

  /** How many strategies still run. */
  get running(): number {
    return this.#running.size;
  }

  start(): void {
    // All are registered before the first runs: one that ends at once must not count as the last.
    for (const { name } of this.#options.instances) this.#running.set(name, new Subscription());
    for (const instance of this.#options.instances) this.#run(instance);
  }

  /** Stops listening to every strategy; the executor keeps their wishes. */
  stop(reason: string): void {
    for (const [name, subscription] of this.#running) {
      this.#running.delete(name);
      const torn = tornDown(subscription);
      this.#publish(name, 'stopped', `${reason}${torn ?? ''}`);
    }
  }

  #run(instance: StrategyInstance): void {
    const { name } = instance;
    this.#publish(name, 'started', startReason(instance.definition.name));
    // Deferred, so that an error thrown by `run` itself fails the stream like any other.
    const intents = defer(() => this.#intentsOf(instance));
    const subscription = intents.subscribe({
      next: (emitted) => this.#pass(name, emitted),
      error: (thrown) => this.#over(name, 'failed', failureOf(thrown)),
      complete: () => this.#over(name, 'ended', 'its stream of intents completed'),
    });
    // A strategy that ended during its own subscription is torn down here.
    const running = this.#running.get(name);
    if (running === undefined) tornDown(subscription);
    else running.add(subscription);
  }

  #pass(name: string, emitted: unknown): void {
    if (!this.#running.has(name)) return;
    const intent = readIntent(emitted);
    if (typeof intent === 'string') this.#over(name, 'failed', intent);
    else this.#options.onIntent(name, blotted(intent, this.#options.blot));
  }

  #intentsOf(instance: StrategyInstance): Observable<Intent> {
    const { sources, random, bus } = this.#options;
    const { name, params, markets } = instance;
    const clock = this.#clockOf(name, OWN_TIMERS);
    // Numbered separately: the moment of a refusal must not change the numbers of the strategy's
    // own timers.
    const toldBy = this.#clockOf(name, REFUSAL_TIMERS);
    const refusals = strategyRefusals({
      refusals: bus.on('refusal'),
      orders: bus.on('order'),
      clock: toldBy,
      strategy: name,
    });
    const context = createContext(
      { ...sources, clock },
      {
        ...{ name, params, markets, random: random.fork(name), refusals },
        log: (message, fields) => writeLine(sources.logger, { strategy: name, message, fields }),
      },
    );
    return instance.definition.run(context);
  }

  #clockOf(strategy: string, step: number): Clock {
    const { sources, bus, clockOf } = this.#options;
    const onRestless = (reason: string) => this.#over(strategy, 'failed', reason);
    const options = { bus, strategy, step, onRestless };
    return clockOf?.(strategy, step) ?? strategyClock(sources.clock, options);
  }

  #over(name: string, status: 'failed' | 'ended', reason: string): void {
    const subscription = this.#running.get(name);
    if (subscription === undefined) return;
    this.#running.delete(name);
    const torn = tornDown(subscription);
    this.#options.onOver(name);
    if (torn === undefined) this.#publish(name, status, reason);
    else this.#publish(name, 'failed', `${reason}${torn}`);
  }

  #publish(strategy: string, status: StrategyEvent['status'], told: string): void {
    const reason = this.#options.blot?.(told) ?? told;
    this.#reports.set(strategy, { name: strategy, status, reason });
    const time = this.#options.clock.now();
    this.#options.bus.publish({ kind: 'strategy', time, strategy, status, reason });
  }
}

/** Steps in which timers are numbered. */
const OWN_TIMERS = 1;
const REFUSAL_TIMERS = -1;

/**
 * Unsubscribes a strategy. Returns what its own teardown (`finalize`) threw as a text: an exception
 * here would keep other strategies, and a stop, from ending in order.
 */
function tornDown(subscription: Subscription): string | undefined {
  try {
    subscription.unsubscribe();
    return undefined;
  } catch (thrown) {
    const first = thrown instanceof UnsubscriptionError ? thrown.errors[0] : thrown;
    return `, then its teardown threw: ${failureOf(first)}`;
  }
}

/**
 * A wish with secrets removed from its texts. Tags too: an order's tag and the tag that cancels it
 * still match.
 */
function blotted(intent: Intent, blot: Blot | undefined): Intent {
  if (blot === undefined) return intent;
  const fields = Object.entries(intent);
  const shown = fields.map(([key, value]) => [
    key,
    typeof value === 'string' ? blot(value) : value,
  ]);
  return Object.fromEntries(shown) as Intent;
}

/** The intent that a strategy emitted, or a text saying why it is none. */
function readIntent(emitted: unknown): Intent | string {
  try {
    return intentOf(emitted);
  } catch (thrown) {
    // A getter among its fields may throw.
    return failureOf(thrown);
  }
}
