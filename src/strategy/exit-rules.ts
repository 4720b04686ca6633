import { type LossStep, lossSteps, requireLossSteps } from './loss-steps.ts';
import { type ProfitStep, profitSteps, requireProfitSteps } from './profit-steps.ts';
import { failToProtect, requireNumber, shownValue } from './require-number.ts';

/**
 * When `protect` closes a position, whatever the strategy wishes. At least one of `stopLoss`,
 * `takeProfit`, `trailing` and `holdMaxMs` is required; a rule that is left out or undefined never
 * closes anything.
 *
 * Profit and loss are fractions of the mean entry price, before fees; 0.03 is three percent.
 */
export interface ExitRules {
  /**
   * Loss at which all is sold; above 0 and below 1. Or steps, in rising order of the profit that
   * the best price has reached.
   */
  readonly stopLoss?: number | readonly LossStep[] | undefined;
  /** Profit at which all is sold; above 0. Or steps, in rising order of the time held. */
  readonly takeProfit?: number | readonly ProfitStep[] | undefined;
  /**
   * How far the price must come back from the best price since the entry, or from the mean entry
   * price if that is better, until all is sold: a fraction of it; above 0 and below 1.
   */
  readonly trailing?: number | undefined;
  /** Profit that the best price must have reached before `trailing` counts. Default: 0, at once. */
  readonly trailingFrom?: number | undefined;
  /** Longest time that a position is held, milliseconds. */
  readonly holdMaxMs?: number | undefined;
  /**
   * How far through the best price an exit may go, a fraction; from 0 to below 1. The part that
   * does not fill is tried again at the new prices. Default: 0.01. Risk refuses an order that is
   * further than `collarFraction` (0.02) from the reference price: such an exit never leaves.
   */
  readonly slippage?: number | undefined;
  /** How long after an exit the same side may be wished again, milliseconds. Default: never. */
  readonly reenterAfterMs?: number | undefined;
}

/** The rules with defaults filled in; a rule that was not given is infinite, or has no steps. */
export type ExitTerms = { readonly [rule in NumberRule]: number } & {
  readonly stopLoss: readonly LossStep[];
  readonly takeProfit: readonly ProfitStep[];
};

type NumberRule = Exclude<Rule, keyof typeof STEPS>;

/** The slippage is half of the usual collar: far enough to get out, the rest is for the spread. */
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

/** The rules that may be given as steps: the check of the steps, and an example of them. */
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

/** Checks one rule: plain JavaScript may hand in anything. */
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

/** Checks a rule given as steps. */
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
