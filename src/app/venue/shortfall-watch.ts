import { interval, Subscription } from 'rxjs';
import { currenciesOf, type Market, type Position } from '../../domain/index.ts';
import { type Clock, Decimal, type Logger, MINUTE_MS } from '../../kernel/index.ts';
import type { BalanceLedger, OrderLedger, PositionLedger } from '../../ledger/index.ts';

export interface ShortfallWatchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly markets: ReadonlyMap<string, Market>;
  readonly balances: Pick<BalanceLedger, 'get'>;
  readonly orders: Pick<OrderLedger, 'liveCount'>;
  readonly positions: Pick<PositionLedger, 'position'>;
  /** What strategies held in markets that are not traded any more, flat positions too. */
  readonly elsewhere: readonly Position[];
}

/** What strategies hold of a currency, and the least amount whose lack is more than dust. */
interface Holding {
  held: Decimal;
  least: Decimal;
}

/** What strategies hold of a currency, what the account has, and whether one look is enough. */
interface Lack {
  readonly held: Decimal;
  readonly has: Decimal;
  readonly isSure: boolean;
}

/**
 * Watches whether the account has the coins that strategies hold by the books.
 *
 * Coins that somebody else sold or moved stay in the books: no exit can sell them, and a target
 * counts them as bought. News of fills and of balances come separately, and late after an earlier
 * run: a lack counts if two looks a minute apart see it, or at a start that finds no order alive.
 */
export class ShortfallWatch {
  readonly #options: ShortfallWatchOptions;
  /** The currencies that the newest look found lacking, and whether the log was told. */
  readonly #lacking = new Map<string, { isTold: boolean }>();
  readonly #looks = new Subscription();

  constructor(options: ShortfallWatchOptions) {
    this.#options = options;
  }

  /** Looks now and every minute from then on. */
  start(): void {
    const { clock, orders } = this.#options;
    this.#lookUp({ isSure: orders.liveCount === 0 });
    this.#looks.add(interval(MINUTE_MS, clock).subscribe(() => this.#lookUp({ isSure: false })));
  }

  close(): void {
    this.#looks.unsubscribe();
  }

  #lookUp({ isSure }: { readonly isSure: boolean }): void {
    for (const [currency, { held: bought, least }] of this.#holdings()) {
      const held = bought.minus(this.#paidIn(currency));
      const balance = this.#options.balances.get(currency);
      const has = balance?.available.plus(balance.frozen) ?? Decimal.ZERO;
      if (held.minus(has).compare(least) >= 0) this.#miss(currency, { held, has, isSure });
      else this.#lacking.delete(currency);
    }
  }

  #holdings(): ReadonlyMap<string, Holding> {
    const holdings = new Map<string, Holding>();
    for (const market of this.#options.markets.values()) {
      const position = this.#options.positions.position(market.id);
      const former = holdings.get(market.base);
      const held = position.amount.plus(former?.held ?? Decimal.ZERO);
      const least = leastOf(market, position);
      const isLess = former === undefined || least.compare(former.least) < 0;
      holdings.set(market.base, { held, least: isLess ? least : former.least });
    }
    return holdings;
  }

  /** What strategies paid of a currency in markets that are quoted in it, as in a triangle. */
  #paidIn(currency: string): Decimal {
    const { markets, positions, elsewhere } = this.#options;
    const traded = Array.from(markets.keys(), (id) => positions.position(id));
    let paid = Decimal.ZERO;
    for (const { market, cost, realizedProfit, fees } of [...traded, ...elsewhere]) {
      if (currenciesOf(market).quote !== currency) continue;
      paid = paid.plus(cost).minus(realizedProfit).plus(fees);
    }
    // If they earned it on balance, it is no position: nobody expects it to stay.
    return paid.sign > 0 ? paid : Decimal.ZERO;
  }

  #miss(currency: string, { held, has, isSure }: Lack): void {
    const known = this.#lacking.get(currency);
    if (known?.isTold) return;
    const isTold = isSure || known !== undefined;
    this.#lacking.set(currency, { isTold });
    if (!isTold) return;
    this.#options.logger.warn(
      { currency },
      `the account has ${has} ${currency}, but strategies hold ${held} by the journal: ` +
        'somebody else sold or moved the difference, so no exit can sell it; ' +
        'once the run is over, record what is held with `positions set`',
    );
  }
}

/** The least amount that an order can trade, at the price that the position was entered at. */
function leastOf({ minAmount, minSize, amountScale }: Market, { amount, cost }: Position): Decimal {
  const worth =
    amount.whole === 0 || cost.whole === 0
      ? Decimal.ZERO
      : Decimal.of(minSize).times(amount.abs()).dividedBy(cost.abs(), amountScale, 'up');
  const step = new Decimal(1, amountScale);
  return [Decimal.of(minAmount), worth].reduce(
    (most, one) => (one.compare(most) > 0 ? one : most),
    step,
  );
}
