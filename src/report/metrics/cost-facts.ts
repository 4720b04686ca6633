import { currenciesOf } from '../../domain/index.ts';
import type { Rate } from '../rates.ts';
import type { RecordedFill, RunRecord } from '../record.ts';

/** What trading cost, in the account's quote currency. */
export interface Costs {
  readonly fills: number;
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

/** Adds up the costs of a record's fills, each at the rate of its own time. */
export function costsOf(record: RunRecord, rate: Rate): Costs {
  const sums = new CostSums();
  let fills = 0;
  for (const fill of record.fills) {
    sums.add(fill, rate);
    fills++;
  }
  const { count, value } = record.missed;
  return { ...sums.costs, fills, missed: count, missedValue: value.toNumber() };
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
  readonly #currencies = new Map<string, { base: string; quote: string }>();

  add(fill: RecordedFill, rate: Rate): void {
    const { base, quote } = this.#currenciesOf(fill.market);
    const worth = rate(quote, fill.time);
    const value = fill.value.toNumber() * worth;
    const fee = fill.fee.toNumber();
    const { costs } = this;
    costs.traded += value;
    const feeRate =
      fill.feeCurrency === base ? fill.price * worth : rate(fill.feeCurrency, fill.time);
    if (fee !== 0) costs.fees += fee * feeRate;
    if (fill.liquidity !== undefined) costs.tradedWithLiquidity += value;
    if (fill.liquidity === 'maker') costs.tradedAsMaker += value;
    if (fill.referencePrice === undefined) return;
    const given = (fill.price - fill.referencePrice) * fill.amount * worth;
    costs.slippage += fill.side === 'buy' ? given : -given;
    costs.tradedWithReference += value;
  }

  #currenciesOf(market: string): { base: string; quote: string } {
    let currencies = this.#currencies.get(market);
    if (currencies === undefined) {
      currencies = currenciesOf(market);
      this.#currencies.set(market, currencies);
    }
    return currencies;
  }
}
