/** Rules in whole numbers: fractions in thousandths, times in milliseconds. */
export interface NaiveRules {
  readonly stopLoss?: number | undefined;
  /** Steps in place of `stopLoss`: profit of the best price, and loss. */
  readonly losses?: readonly (readonly [fromProfit: number, loss: number])[] | undefined;
  readonly takeProfit?: number | undefined;
  /** Steps in place of `takeProfit`: time held, and profit. */
  readonly steps?: readonly (readonly [afterMs: number, profit: number])[] | undefined;
  readonly trailing?: number | undefined;
  readonly trailingFrom?: number | undefined;
  readonly holdMaxMs?: number | undefined;
  readonly reenterAfterMs?: number | undefined;
}

/** What happens in one market in one second. */
export type NaiveStep =
  | { readonly kind: 'wish'; readonly position: number }
  | { readonly kind: 'quotes' }
  | { readonly kind: 'hold'; readonly amount: number; readonly price: number }
  | {
      readonly kind: 'book';
      readonly bid: number | undefined;
      readonly ask: number | undefined;
    };

/** When something is wished, milliseconds, and the position of a target. */
type Told = readonly [timeMs: number, wish: number | 'quotes'];

interface Opened {
  readonly side: number;
  readonly sinceMs: number;
  /** The price that closing would have got in each book since. */
  readonly prices: number[];
}

/** Whether a rule about prices closes the position; `price` is the newest of `prices`. */
function isMet(
  rules: NaiveRules,
  { side, sinceMs, prices }: Opened,
  { entry, timeMs }: { readonly entry: number; readonly timeMs: number },
): boolean {
  if (entry === 0) return false;
  const { stopLoss, takeProfit, trailing, trailingFrom = 0 } = rules;
  const price = prices.at(-1)!;
  const gained = 1_000 * side * (price - entry);
  if (stopLoss !== undefined && -gained >= stopLoss * entry) return true;
  if (takeProfit !== undefined && gained >= takeProfit * entry) return true;
  for (const [at, [afterMs, profit]] of (rules.steps ?? []).entries()) {
    const endMs = rules.steps![at + 1]?.[0] ?? Infinity;
    const isNow = timeMs >= sinceMs + afterMs && timeMs < sinceMs + endMs;
    if (isNow && gained >= profit * entry) return true;
  }
  const best = side > 0 ? Math.max(entry, ...prices) : Math.min(entry, ...prices);
  const reached = (rules.losses ?? []).filter(
    ([fromProfit]) => 1_000 * side * (best - entry) >= fromProfit * entry,
  );
  const [, borne] = reached.at(-1) ?? [];
  if (borne !== undefined && -gained >= borne * entry) return true;
  if (trailing === undefined) return false;
  if (1_000 * side * (best - entry) < trailingFrom * entry) return false;
  return 1_000 * side * (best - price) >= trailing * best;
}

/**
 * What `protect` wishes in one market, step by step. No book is seen before the first wish or the
 * first position.
 */
export function naiveProtect(
  rules: NaiveRules,
  steps: readonly { readonly timeMs: number; readonly step: NaiveStep }[],
): Told[] {
  const told: Told[] = [];
  let passed: { readonly side: number; readonly timeMs: number }[] = [];
  let held = { amount: 0, price: 0 };
  let opened: Opened | undefined;
  let heldBack: { readonly side: number; readonly sinceMs: number } | undefined;
  let isExit = false;
  let exitMs = Number.NEGATIVE_INFINITY;
  let isTimeUp = false;
  let isWatched = false;

  const exit = (timeMs: number, { side }: Opened): void => {
    const wished = passed.at(-1)?.side ?? side;
    const other = passed.findLast((wish) => wish.side !== wished);
    const first = passed[other === undefined ? 0 : passed.indexOf(other) + 1];
    if (isExit || (wished === -side && timeMs < first!.timeMs + 5_000)) return;
    told.push([timeMs, 0]);
    [isExit, exitMs] = [true, timeMs];
    heldBack = wished === side ? { side, sinceMs: timeMs } : undefined;
  };
  const passTime = (timeMs: number): void => {
    const endsMs = opened === undefined ? Infinity : opened.sinceMs + (rules.holdMaxMs ?? Infinity);
    if (isTimeUp || endsMs > timeMs || endsMs === Infinity) return;
    isTimeUp = true;
    exit(endsMs, opened!);
  };
  const take = (timeMs: number, step: NaiveStep): void => {
    if (step.kind === 'wish') {
      const isSame = heldBack?.side === Math.sign(step.position);
      if (isSame && timeMs - heldBack!.sinceMs < (rules.reenterAfterMs ?? Infinity)) return;
      passed.push({ side: Math.sign(step.position), timeMs });
      [heldBack, isExit] = [undefined, false];
      told.push([timeMs, step.position]);
      return;
    }
    if (step.kind === 'quotes') {
      if (isExit || timeMs - exitMs < (rules.reenterAfterMs ?? 0)) return;
      [passed, heldBack] = [[], undefined];
      told.push([timeMs, 'quotes']);
      return;
    }
    if (step.kind === 'hold') {
      const size = Math.abs(step.amount);
      const worth = size * (opened?.prices.at(-1) ?? step.price);
      const isDust = size < 0.0001 || (worth < 1 && (step.price !== 0 || opened?.prices.length));
      const side = isDust ? 0 : Math.sign(step.amount);
      if (side !== (opened?.side ?? 0)) {
        opened = side === 0 ? undefined : { side, sinceMs: timeMs, prices: [] };
        [isExit, isTimeUp] = [false, false];
      } else if (size > Math.abs(held.amount)) isExit = false;
      held = step;
      return;
    }
    const { bid, ask } = step;
    const price = opened && (opened.side > 0 ? bid : ask);
    if (opened === undefined || price === undefined) return;
    if (bid !== undefined && ask !== undefined && bid >= ask) return;
    opened.prices.push(price);
    if (isTimeUp || isMet(rules, opened, { entry: held.price, timeMs })) exit(timeMs, opened);
  };

  for (const { timeMs, step } of steps) {
    passTime(timeMs);
    isWatched ||=
      ['wish', 'quotes'].includes(step.kind) || (step.kind === 'hold' && step.amount !== 0);
    if (isWatched) take(timeMs, step);
  }
  passTime(Infinity);
  return told;
}
