import { currenciesOf } from '../../domain/index.ts';
import type { RunRecord } from '../record.ts';

/** What trading cost, in the account's currency. */
export interface Costs {
  /** Value of all fills. */
  readonly traded: number;
  readonly fees: number;
  /** Given up against the reference price; negative where fills were better. */
  readonly slippage: number;
  /** Value of the fills whose reference price is known, and of those whose order rested. */
  readonly tradedWithReference: number;
  readonly tradedAsMaker: number;
  /** Value of the fills of which maker or taker is known. */
  readonly tradedWithLiquidity: number;
  readonly missed: number;
  readonly missedValue: number;
}

/** Adds up the costs of a record's fills. */
export function costsOf({ fills, missed }: Pick<RunRecord, 'fills' | 'missed'>): Costs {
  const costs = {
    traded: 0,
    fees: 0,
    slippage: 0,
    tradedWithReference: 0,
    tradedAsMaker: 0,
    tradedWithLiquidity: 0,
    missed: missed.count,
    missedValue: missed.value?.toNumber() ?? Number.NaN,
  };
  for (const fill of fills) {
    const { rate = 1, side, price, referencePrice, amount, liquidity } = fill;
    const value = fill.value.toNumber() * rate;
    const fee = fill.fee.toNumber() * rate;
    const isInBase = fill.feeCurrency === currenciesOf(fill.market).base;
    costs.traded += value;
    costs.fees += isInBase ? fee * price : fee;
    if (liquidity !== undefined) costs.tradedWithLiquidity += value;
    if (liquidity === 'maker') costs.tradedAsMaker += value;
    if (referencePrice === undefined) continue;
    const given = (price - referencePrice) * amount * rate;
    costs.slippage += side === 'buy' ? given : -given;
    costs.tradedWithReference += value;
  }
  return costs;
}
