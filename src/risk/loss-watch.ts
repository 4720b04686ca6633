import type { Position } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { currencyLimitPath, currencyLimitsOf } from './config.ts';
import { DayTurn } from './day.ts';
import { LossAccount, type LossBreach } from './loss-account.ts';
import { exactMark, markOf } from './mark.ts';
import { MarketProfit, priceScaleOf } from './market-profit.ts';
import type { RiskView } from './review.ts';

/**
 * Watches the profit, realized and unrealized, of each quote currency by itself, and tightens the
 * trading state when a limit is passed. A reset by a person starts all counts anew.
 *
 * Losses of earlier runs since midnight count too, where known. Holdings of midnight are valued at
 * the first price traded since then, else at the first of this run: no older one is known. The
 * highest profit is that of this run, or the one at its first midnight.
 *
 * While a position has had no price, losses in its currency cannot be told: no limit is judged
 * there, and nothing is opened. A position below the least order of its market counts at its cost.
 */
export class LossWatch {
  readonly #view: RiskView;
  readonly #accounts: LossAccount[] = [];
  /** The profit of each traded market, in the order of `tradedMarkets`. */
  readonly #profits: MarketProfit[] = [];
  readonly #midnight: DayTurn;
  /** Kept until the first new count. */
  #dayStart: RiskView['dayStart'];
  #isStarted = false;
  /** Whether the counts restart from the profit at the next look. */
  #isNewCount = true;

  constructor(view: RiskView) {
    this.#view = view;
    this.#dayStart = view.dayStart;
    this.#midnight = new DayTurn(view.day);
    view.state.onReset(() => this.#turnPage({ isReset: true }));
  }

  /** Works out the present profit and acts on it. */
  look(): void {
    if (this.#midnight.hasCome()) this.#turnPage({ isReset: false });
    if (!this.#isNewCount && this.#isQuiet()) return;
    const isChanged = this.#workOutAll();
    if (!this.#isNewCount && !isChanged) return;
    this.#sumUp();
    for (const account of this.#accounts) {
      if (account.unpriced !== undefined) continue;
      account.takeUp(() => this.#earlierNet(account));
      for (const breach of account.breaches()) this.#act(account, breach);
      account.settle();
    }
    this.#isNewCount = false;
    this.#isStarted = true;
  }

  /** A held market of the quote currency that was never priced: losses cannot be told. */
  unpricedIn(currency: string): string | undefined {
    return this.#knownAccount(currency)?.unpriced;
  }

  /**
   * Whether every profit is surely between its limits and its high. Judged by doubles, to spare
   * exact sums while a position is held and every tick moves its mark.
   */
  #isQuiet(): boolean {
    if (this.#view.positions.tradedMarkets().length !== this.#profits.length) return false;
    for (const account of this.#accounts) {
      if (account.unpriced !== undefined) return false;
      account.drift = 0;
      account.doubt = 0;
    }
    for (const profit of this.#profits) if (!profit.follow(this.#view)) return false;
    for (const account of this.#accounts) if (!account.isQuiet) return false;
    return true;
  }

  /** Restarts the counts on a new day or after a reset. */
  #turnPage(why: { readonly isReset: boolean }): void {
    this.#isNewCount = true;
    this.#dayStart = undefined;
    for (const account of this.#accounts) account.turnPage(why);
  }

  #act({ currency }: LossAccount, { key, what }: LossBreach): void {
    const { state, config } = this.#view;
    state.set(config.lossAction, `${what} (${currencyLimitPath(config, { key, currency })})`);
  }

  /**
   * Works out the profit of every market whose position or price moved. Returns whether any did.
   */
  #workOutAll(): boolean {
    const view = this.#view;
    const { positions, rules } = view;
    let isChanged = false;
    for (const [at, market] of positions.tradedMarkets().entries()) {
      const known = this.#profits[at];
      const position = positions.position(market);
      const first = { market, before: undefined, told: undefined };
      const mark = known === undefined ? markOf(view, first) : known.markAnew(view);
      if (known?.isOf({ position, mark })) continue;
      const currency = rules.of(market)?.market.quote;
      const account = currency === undefined ? undefined : this.#accountOf(currency);
      this.#profits[at] = new MarketProfit(view, { market, position, mark, account });
      isChanged = true;
    }
    return isChanged;
  }

  #sumUp(): void {
    for (const account of this.#accounts) {
      account.net = Decimal.ZERO;
      account.unpriced = undefined;
    }
    for (const { market, position, mark, net, account } of this.#profits) {
      if (account === undefined) continue;
      account.net = account.net.plus(net);
      if (mark === undefined && this.#wantsPrice(position)) account.unpriced ??= market;
    }
  }

  /**
   * Whether losses in a market without a price cannot be told: it holds at least the least order,
   * or did at midnight and has no price for that time.
   */
  #wantsPrice(position: Position): boolean {
    if (this.#isOfOrderSize(position)) return true;
    const { market } = position;
    const dayStart = this.#dayStart;
    if (dayStart === undefined || dayStart.firstPrice?.(market) !== undefined) return false;
    return this.#isOfOrderSize(dayStart.position(market));
  }

  /** Whether a position is worth counting: less than the least order is dust left by fees. */
  #isOfOrderSize({ market, amount }: Position): boolean {
    const minAmount = this.#view.markets.get(market)?.minAmount ?? 0;
    return amount.sign !== 0 && amount.abs().compare(Decimal.of(minAmount)) >= 0;
  }

  /**
   * The profit of an account at the start of the day, with holdings valued at the first prices
   * traded since; where there are none, at the present marks. Undefined: not known.
   */
  #earlierNet(account: LossAccount): Decimal | undefined {
    const dayStart = this.#dayStart;
    if (dayStart === undefined) return undefined;
    let net = Decimal.ZERO;
    for (const { market, mark, account: ofMarket } of this.#profits) {
      if (ofMarket !== account) continue;
      const price = dayStart.firstPrice?.(market) ?? mark;
      if (price === undefined) {
        const { realizedProfit, fees } = dayStart.position(market);
        net = net.plus(realizedProfit).minus(fees);
      } else {
        const exact = exactMark(price, priceScaleOf(this.#view, market));
        net = net.plus(dayStart.profit(market, exact).net);
      }
    }
    return net;
  }

  /**
   * The currency's account. One first traded during this run starts from zero, one taken over from
   * its present profit.
   */
  #accountOf(currency: string): LossAccount {
    const known = this.#knownAccount(currency);
    if (known !== undefined) return known;
    const limits = currencyLimitsOf(this.#view.config, currency);
    const start = this.#isStarted ? Decimal.ZERO : undefined;
    const account = new LossAccount(currency, { limits, start });
    this.#accounts.push(account);
    return account;
  }

  #knownAccount(currency: string): LossAccount | undefined {
    return this.#accounts.find((account) => account.currency === currency);
  }
}
