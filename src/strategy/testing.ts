import { map, type SchedulerAction } from 'rxjs';
import type { z } from 'zod';
import {
  type Candle,
  type Intent,
  intentOf,
  type Market,
  type TradingEvent,
  timeOf,
} from '../domain/index.ts';
import {
  Bus,
  type Clock,
  RESTLESS,
  restlessness,
  seededRandom,
  VirtualClock,
} from '../kernel/index.ts';
import type { StrategyDefinition } from './define.ts';
import { StrategyError } from './errors.ts';
import { type ScriptedEvent, scriptedMarket } from './script.ts';
import { scriptedContext } from './scripted-context.ts';

export interface RunStrategyOptions<S extends z.ZodType> {
  /** As a user would write them; the strategy's schema fills in the defaults. Default: `{}`. */
  readonly params?: z.input<S>;
  /** Default: `scriptedMarket` alone. */
  readonly markets?: readonly Market[];
  /** Candles that closed before the start: `context.candles` emits them first. Default: none. */
  readonly history?: readonly Candle[];
  /**
   * What happens. Each event is delivered at its own time; events of the same time in the order
   * given and before the timers that they set off.
   */
  readonly events: Iterable<ScriptedEvent>;
  /** The clock at the start. Default: the time of the earliest event, or 0. */
  readonly startMs?: number;
  /** How long the clock runs on after the last event, for timers still under way. Default: 0. */
  readonly lingerMs?: number;
  /** Seed of `context.random`. Default: 1. */
  readonly seed?: string | number;
}

/** A line that a strategy wrote by `context.log`. */
export interface ScriptedLogLine {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a strategy did in a scripted run. */
export interface StrategyRun {
  /** Its wishes, in order. */
  readonly intents: readonly Intent[];
  /** When it made each of them, milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly log: readonly ScriptedLogLine[];
}

/**
 * Runs a strategy alone, on a virtual clock, against a script of events; for its unit tests.
 *
 * No exchange answers: positions, fills, orders and balances change only as the script says.
 *
 * @throws {StrategyError} when the parameters do not fit, there is no market, an event lies before
 * the start, the strategy emits something that is no wish, or its timers let no time pass.
 * @throws whatever the strategy throws or its stream fails with.
 */
export function runStrategy<S extends z.ZodType>(
  definition: StrategyDefinition<S>,
  options: RunStrategyOptions<S>,
): StrategyRun {
  const events = [...options.events].sort((a, b) => timeOf(a) - timeOf(b));
  const first = events[0];
  const clock = new VirtualClock(options.startMs ?? (first === undefined ? 0 : timeOf(first)));
  const run = { intents: [] as Intent[], times: [] as number[], log: [] as ScriptedLogLine[] };
  const bus = new Bus<TradingEvent>();
  const context = scriptedContext<z.output<S>>({
    name: definition.name,
    params: parse(definition, options.params ?? {}),
    markets: marketsOf(definition, options),
    history: options.history ?? [],
    bus,
    clock: restlessClock(clock, definition.name),
    random: seededRandom(options.seed ?? 1),
    onLog: (message, fields) => run.log.push({ message, fields }),
  });
  let failure: { readonly thrown: unknown } | undefined;
  const wishes = definition.run(context).pipe(map((emitted) => wishOf(definition, emitted)));
  const subscription = wishes.subscribe({
    next: (intent) => {
      run.intents.push(intent);
      run.times.push(clock.now());
    },
    error: (thrown) => {
      failure = { thrown };
    },
  });
  for (const [at, event] of events.entries()) {
    if (at === 0 || timeOf(event) !== timeOf(events[at - 1]!)) advance(clock, event);
    bus.publish(event);
  }
  clock.advanceBy(options.lingerMs ?? 0);
  subscription.unsubscribe();
  if (failure !== undefined) throw failure.thrown;
  return run;
}

/** The emitted value as a wish. @throws {StrategyError} when it is none. */
function wishOf({ name }: Pick<StrategyDefinition<z.ZodType>, 'name'>, emitted: unknown): Intent {
  const intent = intentOf(emitted);
  if (typeof intent === 'string') throw new StrategyError(`Cannot run ${name}: ${intent}`);
  return intent;
}

/** The clock, except that it fails a strategy whose timers let no time pass, as a run does. */
function restlessClock(clock: VirtualClock, name: string): Clock {
  const isRestless = restlessness(clock);
  return {
    now: () => clock.now(),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T) {
      return clock.schedule<T>(
        function goOff(this: SchedulerAction<T>, now?: T) {
          if (isRestless()) throw new StrategyError(`Cannot run ${name}: ${RESTLESS}`);
          work.call(this, now);
        },
        delayMs,
        state,
      );
    },
  };
}

function parse<S extends z.ZodType>(definition: StrategyDefinition<S>, params: unknown) {
  const parsed = definition.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StrategyError(
    `Cannot run ${definition.name}: params.${issue?.path.join('.')}: ${issue?.message}`,
    { cause: parsed.error },
  );
}

function marketsOf(
  { name }: Pick<StrategyDefinition<z.ZodType>, 'name'>,
  { markets = [scriptedMarket] }: Pick<RunStrategyOptions<z.ZodType>, 'markets'>,
): readonly Market[] {
  if (markets.length === 0) {
    throw new StrategyError(`Cannot run ${name}: it has no market, one is wanted`);
  }
  return markets;
}

function advance(clock: VirtualClock, event: ScriptedEvent): void {
  const time = timeOf(event);
  if (time < clock.now()) {
    throw new StrategyError(
      `Cannot play ${event.kind} at ${time}: the start is ${clock.now()}, no event before it is wanted`,
    );
  }
  clock.advanceTo(time);
}
