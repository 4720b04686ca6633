import { type MonoTypeOperatorFunction, map, merge, NEVER, type Observable, timer } from 'rxjs';
import type { StandingWish } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import {
  defineStrategy,
  type ExitRules,
  type Market,
  noQuotes,
  protect,
  runStrategy,
  type ScriptedEvent,
  type StrategyContext,
  scriptedDepth,
  scriptedFill,
  scriptedMarket,
  scriptedPosition,
  type TargetIntent,
  type TargetOptions,
  target,
  z,
} from '../../src/strategy/index.ts';

export const ETHER: Market = { ...scriptedMarket, id: 'eth_usdt', base: 'eth' };

/** What happens in one second: a wish of the source, or an event. */
export type Step =
  | { readonly wish: number; readonly options?: TargetOptions; readonly market?: Market }
  | { readonly quoteIn: Market }
  | { readonly event: (time: number) => ScriptedEvent }
  | { readonly wait: true };

export const wish = (position: number, options?: TargetOptions, market?: Market): Step => ({
  wish: position,
  ...(options && { options }),
  ...(market && { market }),
});
/** The source emits quotes. */
export const quote = (market: Market): Step => ({ quoteIn: market });
/** A book; an undefined side is empty. */
export const book = (bid: number | undefined, ask: number | undefined, market?: Market): Step => ({
  event: (time) => {
    const { id } = market ?? scriptedMarket;
    const depth = scriptedDepth({ time, market: id, bid: bid ?? 1, ask: ask ?? 1 });
    return {
      ...depth,
      bids: bid === undefined ? [] : depth.bids,
      asks: ask === undefined ? [] : depth.asks,
    };
  },
});
/** The position becomes `amount`, bought or sold at the mean price `price`. */
export const hold = (amount: number, price = 100, market = scriptedMarket): Step => ({
  event: (time) => scriptedPosition({ time, market: market.id, amount, price }),
});
/** A purchase at 100 in the first market, and how many of the coins its fee took. */
export const purchase = (amount: number, fee: number): Step => ({
  event: (time) => {
    const { fill, ...event } = scriptedFill({ time, side: 'buy', price: 100, amount });
    return { ...event, fill: { ...fill, fee: Decimal.of(fee) } };
  },
});
export const wait: Step = { wait: true };

/** Wishes of the steps, each at its second. */
function wishesOf(steps: readonly Step[], { clock, market }: StrategyContext) {
  const wishOf = (step: Step): StandingWish | undefined => {
    if ('quoteIn' in step) return noQuotes(step.quoteIn);
    return 'wish' in step ? target(step.market ?? market, step.wish, step.options) : undefined;
  };
  const wishes = steps.flatMap((step, second): Observable<StandingWish>[] => {
    const wished = wishOf(step);
    return wished === undefined ? [] : [timer(second * 1_000, clock).pipe(map(() => wished))];
  });
  // Only steps for operators that take quotes contain them, so that the cast holds for the others.
  return merge(NEVER, ...wishes) as Observable<TargetIntent>;
}

/** What an operator emits for steps of one second each: its wishes, and when it emits them. */
export function playedThrough(
  operator: (context: StrategyContext) => MonoTypeOperatorFunction<TargetIntent>,
  { steps, markets = [ETHER] }: { readonly steps: readonly Step[]; readonly markets?: Market[] },
) {
  const probe = defineStrategy({
    name: 'probe',
    params: z.strictObject({}),
    run: (context) => wishesOf(steps, context).pipe(operator(context)),
  });
  const events = steps.flatMap((step, second) =>
    'event' in step ? [step.event(second * 1_000)] : [],
  );
  const { intents, times } = runStrategy(probe, {
    markets: [scriptedMarket, ...markets],
    events,
    startMs: 0,
    lingerMs: 100_000,
  });
  return { intents: intents as readonly TargetIntent[], times };
}

/** What `protect` with these rules emits for the steps. */
export function played(rules: ExitRules, steps: readonly Step[], markets = [ETHER]) {
  return playedThrough((context) => protect(context, rules), { steps, markets });
}

/** The same, as pairs of second and position. */
export function told(rules: ExitRules, steps: readonly Step[]): [number, number][] {
  const { intents, times } = played(rules, steps);
  return intents.map(({ position }, at) => [times[at]! / 1_000, position]);
}
