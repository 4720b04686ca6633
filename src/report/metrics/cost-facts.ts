import { currenciesOf } from '../../domain/index.ts';
import type { RecordedFill, RunRecord } from '../record.ts';

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
  const sums = new CostSums();
  for (const fill of fills) sums.add(fill);
  return {
    ...sums.costs,
    missed: missed.count,
    missedValue: missed.value?.toNumber() ?? Number.NaN,
  };
}

class CostSums {
  readonly costs = {
    traded: 0,
    fees: 0,
    slippage: 0,
    tradedWithReference: 0,
    tradedAsMaker: 0,
    tradedWithLiquidity: 0,
  };
  readonly #bases = new Map<string, string>();

  add(fill: RecordedFill): void {
    const { rate = 1 } = fill;
    const value = fill.value.toNumber() * rate;
    const fee = fill.fee.toNumber() * rate;
    const { costs } = this;
    costs.traded += value;
    costs.fees += fill.feeCurrency === this.#baseOf(fill.market) ? fee * fill.price : fee;
    if (fill.liquidity !== undefined) costs.tradedWithLiquidity += value;
    if (fill.liquidity === 'maker') costs.tradedAsMaker += value;
    if (fill.referencePrice === undefined) return;
    const given = (fill.price - fill.referencePrice) * fill.amount * rate;
    costs.slippage += fill.side === 'buy' ? given : -given;
    costs.tradedWithReference += value;
  }

  #baseOf(market: string): string {
    let base = this.#bases.get(market);
    if (base === undefined) {
      base = currenciesOf(market).base;
      this.#bases.set(market, base);
    }
    return base;
  }
}
