import { type LossStep, lossSteps, requireLossSteps } from './loss-steps.ts';
import { type ProfitStep, profitSteps, requireProfitSteps } from './profit-steps.ts';
import { failToProtect, requireNumber, shownValue } from './require-number.ts';

/**
 * When `protect` closes a position, whatever the strategy wishes. At least one of `stopLoss`,
 * `takeProfit`, `trailing` and `holdMaxMs` is wanted; one that is left out, or undefined, never
 * closes anything.
 *
 * Profit and loss are fractions of the mean entry price, before fees; 0.03 is three percent.
 */
export interface ExitRules {
  /**
   * Loss from which on all is sold; above 0 and below 1. Or what it is by the profit that the best
   * price has reached, in rising order.
   */
  readonly stopLoss?: number | readonly LossStep[] | undefined;
  /** Profit from which on all is sold; above 0. Or what it is by the time held, in rising order. */
  readonly takeProfit?: number | readonly ProfitStep[] | undefined;
  /** How far the price comes back from the best since the entry, a fraction of it; above 0, below 1. */
  readonly trailing?: number | undefined;
  /** Profit that the best price must have reached before `trailing` counts. Default: 0, at once. */
  readonly trailingFrom?: number | undefined;
  /** Longest time that a position is held, milliseconds. */
  readonly holdMaxMs?: number | undefined;
  /**
   * How far through the best price an exit may go, a fraction; from 0 to below 1. What it does not
   * meet there is tried again at the prices then. Default: 0.01. Risk refuses what is further than
   * `collarFraction` (0.02) from the reference price: an exit that goes there never leaves.
   */
  readonly slippage?: number | undefined;
  /** From when on after an exit the same side may be wished again, milliseconds. Default: never. */
  readonly reenterAfterMs?: number | undefined;
}

/** The rules with their defaults; infinite, or without a step, is one that there is not. */
export type ExitTerms = { readonly [rule in NumberRule]: number } & {
  readonly stopLoss: readonly LossStep[];
  readonly takeProfit: readonly ProfitStep[];
};

type NumberRule = Exclude<Rule, keyof typeof STEPS>;

/** The slippage: an exit is to be out, and half of the usual collar is left for the spread. */
const DEFAULTS: ExitTerms = {
  stopLoss: [],
  takeProfit: [],
  trailing: Number.POSITIVE_INFINITY,
  trailingFrom: 0,
  holdMaxMs: Number.POSITIVE_INFINITY,
  slippage: 0.01,
  reenterAfterMs: Number.POSITIVE_INFINITY,
};

type Rule = keyof ExitRules;

/** The rules that may be steps: how these are checked, and how one looks. */
const STEPS = {
  stopLoss: { requireAll: requireLossSteps, example: '[{ fromProfit: 0, loss: 0.03 }]' },
  takeProfit: { requireAll: requireProfitSteps, example: '[{ afterMs: 0, profit: 0.04 }]' },
} as const;

/** The rules that close a position by themselves. */
const CLOSING: readonly Rule[] = ['stopLoss', 'takeProfit', 'trailing', 'holdMaxMs'];
/** The rules that may be 0. */
const MAY_BE_ZERO: readonly Rule[] = ['trailingFrom', 'slippage'];
/** The rules that are a fraction of the price, below 1. */
const BELOW_ONE: readonly Rule[] = ['stopLoss', 'trailing', 'slippage'];

/**
 * Checks rules and fills in the defaults.
 *
 * @throws {StrategyError} when a rule is not known or out of its bounds, or none closes anything.
 */
export function exitTerms(rules: ExitRules): ExitTerms {
  if (typeof rules !== 'object' || rules === null) {
    failToProtect(`the rules are ${rules}, such as { stopLoss: 0.03 } are wanted`);
  }
  const told = Object.entries(rules).filter(([, value]) => value !== undefined);
  for (const [rule, value] of told) requireSound(rule, value);
  const { stopLoss, takeProfit, ...others } = Object.fromEntries(told) as ExitRules;
  const steps = { stopLoss: lossSteps(stopLoss), takeProfit: profitSteps(takeProfit) };
  const terms = { ...DEFAULTS, ...others, ...steps } as ExitTerms;
  if (!CLOSING.some((rule) => Object.hasOwn(rules, rule) && rules[rule] !== undefined)) {
    failToProtect(`no rule closes anything, one of ${CLOSING.join(', ')} is wanted`);
  }
  if (terms.trailingFrom > 0 && terms.trailing === Number.POSITIVE_INFINITY) {
    failToProtect(
      `trailingFrom is ${terms.trailingFrom} without trailing, both or neither are wanted`,
    );
  }
  return terms;
}

/** Plain JavaScript may hand in anything. */
function requireSound(name: string, value: unknown): void {
  if (!Object.hasOwn(DEFAULTS, name)) {
    const known = Object.keys(DEFAULTS).join(', ');
    failToProtect(`the rule ${name} is not known, one of ${known} is wanted`);
  }
  const rule = name as Rule;
  if (isStepped(rule) && typeof value === 'object') {
    requireSteps(rule, value);
    return;
  }
  const below = BELOW_ONE.includes(rule) ? 1 : undefined;
  requireNumber(name, value, { above: 0, orEqual: MAY_BE_ZERO.includes(rule), below });
}

/** Steps, checked by those who know them. */
function requireSteps(rule: keyof typeof STEPS, value: object | null): void {
  const { requireAll, example } = STEPS[rule];
  if (Array.isArray(value)) {
    requireAll(rule, value);
    return;
  }
  const wanted = `a number above 0 or steps such as ${example} are wanted`;
  failToProtect(`${rule} is ${shownValue(value)}, ${wanted}`);
}

function isStepped(rule: Rule): rule is keyof typeof STEPS {
  return Object.hasOwn(STEPS, rule);
}
