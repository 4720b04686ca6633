import type { Position } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { type CurrencyLimits, currencyLimitPath, currencyLimitsOf } from './config.ts';
import { exactMark, markGrain, markOf } from './mark.ts';
import type { RiskView } from './review.ts';

/** The profit of one quote currency, against which losses are measured. */
interface Account {
  readonly currency: string;
  net: Decimal;
  /** A market where a position is, or was at midnight, whose worth cannot be told. */
  unpriced: string | undefined;
  /** Profit at midnight UTC, or at the first look after it; undefined: take it at the next look. */
  dayStart: Decimal | undefined;
  peak: Decimal | undefined;
  readonly dailyLossMax: Decimal;
  readonly drawdownMax: Decimal;
  /** Between these a profit changes nothing: no limit is passed, and it is no new high. Doubles. */
  quietFrom: number;
  quietTo: number;
  /** How far the marks have moved the profit since it was worked out, and what that may be off. */
  drift: number;
  doubt: number;
}

/** A market's net profit as it was last worked out, and of what. */
interface Valuation {
  readonly market: string;
  readonly position: Position;
  readonly mark: number | undefined;
  readonly net: Decimal;
  /** That of its quote currency. */
  readonly account: Account | undefined;
  /** As a double. */
  readonly netDouble: number;
  /** What is held now, in doubles: it may have changed since. */
  held: HeldDoubles;
  /** A tenth of the market's price step. */
  readonly grain: number;
  /** The newest mark, which the profit may not have been worked out at. */
  seen: number | undefined;
  /** The last price when that was taken. */
  told: number | undefined;
}

/** A position in doubles. */
interface HeldDoubles {
  readonly position: Position;
  readonly amount: number;
  /** The net profit but for what the amount is worth. */
  readonly rest: number;
  /** What the sums of that may be off, a part of it. */
  readonly size: number;
}

function heldDoubles(position: Position): HeldDoubles {
  const amount = position.amount.toNumber();
  const [cost, fees] = [position.cost.toNumber(), position.fees.toNumber()];
  const realized = position.realizedProfit.toNumber();
  const size = Math.abs(realized) + Math.abs(cost) + Math.abs(fees);
  return { position, amount, rest: realized - cost - fees, size };
}

/** What sums of doubles may be off, as a part of them. */
const ROUNDING = 1e-9;

/**
 * Watches the profit by fills, realized and unrealized, in each quote currency by itself, and
 * tightens the trading state when a limit is passed. A reset by a person starts all counts anew.
 *
 * Where earlier runs of the day are known, what they lost since midnight counts, so that a restart
 * forgives nothing but this: what was held at midnight counts from the first price that was traded
 * since, else from the first of this run, for no older one is known. The highest profit is that of
 * this run, or of that start of the day. What was lost before that does not count.
 *
 * A currency is not judged while one of its positions was never priced, unless it is dust: until then
 * nothing is opened in it.
 */
export class LossWatch {
  readonly #view: RiskView;
  readonly #accounts: Account[] = [];
  /** Of each traded market, in the order of those. */
  readonly #valuations: Valuation[] = [];
  /** Until the first new count. */
  #dayStart: RiskView['dayStart'];
  #isStarted = false;
  #day: number;
  #resets: number;

  constructor(view: RiskView) {
    this.#view = view;
    this.#dayStart = view.dayStart;
    this.#day = view.day.today();
    this.#resets = view.state.resets;
  }

  /** Takes the profit as it is now and acts on it. */
  look(): void {
    if (this.#isQuiet()) return;
    const isNewCount = this.#turnPage();
    const isChanged = this.#valueAll();
    if (this.#isStarted && !isNewCount && !isChanged) return;
    this.#sumUp();
    for (const account of this.#accounts) {
      if (account.unpriced !== undefined) continue;
      account.dayStart ??= this.#earlierNet(account.currency) ?? account.net;
      account.peak = higher(account.peak ?? account.dayStart, account.net);
      this.#judge(account);
      rememberQuiet(account);
    }
    this.#isStarted = true;
  }

  /** A market of a quote currency that is held and was never priced: what is lost can't be told. */
  unpricedIn(currency: string): string | undefined {
    return this.#knownAccount(currency)?.unpriced;
  }

  /**
   * Whether the profit is surely between the limits and its highest: told by doubles, which the
   * exact sums are spared by where a position is held and every tick moves its mark.
   */
  #isQuiet(): boolean {
    const { day, state, positions } = this.#view;
    if (!this.#isStarted || day.today() !== this.#day) return false;
    if (state.resets !== this.#resets) return false;
    if (positions.tradedMarkets().length !== this.#valuations.length) return false;
    for (let at = 0; at < this.#accounts.length; at++) {
      const account = this.#accounts[at]!;
      if (account.unpriced !== undefined) return false;
      account.drift = 0;
      account.doubt = 0;
    }
    for (let at = 0; at < this.#valuations.length; at++) {
      const known = this.#valuations[at]!;
      const position = positions.position(known.market);
      if (known.held.position !== position) known.held = heldDoubles(position);
      const isFlat = known.held.amount === 0 && known.position === position;
      if (!isFlat && !this.#follow(known)) return false;
    }
    return this.#accounts.every(isBetween);
  }

  /** Takes up a new mark or position of a market; false where the profit cannot be told by it. */
  #follow(known: Valuation): boolean {
    const { market, account, held, grain } = known;
    const mark = markOf(this.#view, { market, before: known.seen, told: known.told });
    known.seen = mark;
    known.told = this.#view.prices.last(market);
    const isSamePosition = held.position === known.position;
    if (isSamePosition && mark === known.mark) return true;
    if (mark === undefined || known.mark === undefined || account === undefined) return false;
    const size = Math.abs(held.amount);
    if (isSamePosition) {
      account.drift += held.amount * (mark - known.mark);
      account.doubt += size * (grain + ROUNDING * (mark + known.mark));
    } else {
      account.drift += held.rest + held.amount * mark - known.netDouble;
      account.doubt +=
        size * grain + ROUNDING * (held.size + size * mark + Math.abs(known.netDouble));
    }
    return true;
  }

  /** Starts the counts of a new day, or after a reset. */
  #turnPage(): boolean {
    const { state } = this.#view;
    const day = this.#view.day.today();
    const isReset = state.resets !== this.#resets;
    if (day === this.#day && !isReset) return false;
    this.#day = day;
    this.#resets = state.resets;
    this.#dayStart = undefined;
    for (const account of this.#accounts) {
      account.dayStart = undefined;
      if (isReset) account.peak = undefined;
    }
    return true;
  }

  #judge({ currency, net, dayStart, peak, dailyLossMax, drawdownMax }: Account): void {
    const loss = (dayStart ?? net).minus(net);
    if (loss.compare(dailyLossMax) > 0) {
      this.#act(
        `daily loss of ${loss} ${currency}, at most ${dailyLossMax}`,
        'dailyLossMax',
        currency,
      );
    }
    const drawdown = (peak ?? net).minus(net);
    if (drawdown.compare(drawdownMax) > 0) {
      this.#act(
        `drawdown of ${drawdown} ${currency}, at most ${drawdownMax}`,
        'drawdownMax',
        currency,
      );
    }
  }

  #act(what: string, key: keyof CurrencyLimits, currency: string): void {
    const { state, config } = this.#view;
    state.set(config.lossAction, `${what} (${currencyLimitPath(config, { key, currency })})`);
  }

  /** Values every market whose position or price moved; answers whether any did. */
  #valueAll(): boolean {
    const { positions } = this.#view;
    let isChanged = false;
    for (const [at, market] of positions.tradedMarkets().entries()) {
      const position = positions.position(market);
      const known = this.#valuations[at];
      const mark = markOf(this.#view, { market, before: known?.seen, told: known?.told });
      const told = this.#view.prices.last(market);
      if (known !== undefined) known.told = told;
      if (known !== undefined && known.position === position && known.mark === mark) continue;
      const { realizedProfit, fees } = position;
      const net =
        mark === undefined
          ? realizedProfit.minus(fees)
          : positions.profit(market, exactMark(mark, this.#priceScaleOf(market))).net;
      const currency = this.#view.rules.of(market)?.market.quote;
      const account = currency === undefined ? undefined : this.#accountOf(currency);
      const grain = markGrain(this.#priceScaleOf(market));
      const worth = { mark, net, netDouble: net.toNumber(), account, grain, seen: mark, told };
      this.#valuations[at] = { market, position, held: heldDoubles(position), ...worth };
      isChanged = true;
    }
    return isChanged;
  }

  #sumUp(): void {
    for (const account of this.#accounts) {
      account.net = Decimal.ZERO;
      account.unpriced = undefined;
    }
    for (const { market, position, mark, net, account } of this.#valuations) {
      if (account === undefined) continue;
      account.net = account.net.plus(net);
      if (mark === undefined && this.#wantsPrice(position)) account.unpriced ??= market;
    }
  }

  /**
   * Whether nobody can tell what was lost in a market without a price: where as much is held as the
   * market takes an order for, or was at midnight and nothing tells what it was worth then.
   */
  #wantsPrice(position: Position): boolean {
    if (this.#isOfOrderSize(position)) return true;
    const { market } = position;
    const dayStart = this.#dayStart;
    if (dayStart === undefined || dayStart.firstPrice?.(market) !== undefined) return false;
    return this.#isOfOrderSize(dayStart.position(market));
  }

  /** Less than that is the dust of fees: it counts at its cost. */
  #isOfOrderSize({ market, amount }: Position): boolean {
    const minAmount = this.#view.markets.get(market)?.minAmount ?? 0;
    return amount.sign !== 0 && amount.abs().compare(Decimal.of(minAmount)) >= 0;
  }

  /**
   * The profit of a currency at the start of the day, what was held then valued at the first prices
   * that were traded since; where there are none, at the marks now.
   */
  #earlierNet(currency: string): Decimal | undefined {
    const dayStart = this.#dayStart;
    if (dayStart === undefined) return undefined;
    let net = Decimal.ZERO;
    for (const { market, mark, account } of this.#valuations) {
      if (account?.currency !== currency) continue;
      const price = dayStart.firstPrice?.(market) ?? mark;
      if (price === undefined) {
        const { realizedProfit, fees } = dayStart.position(market);
        net = net.plus(realizedProfit).minus(fees);
      } else {
        net = net.plus(dayStart.profit(market, exactMark(price, this.#priceScaleOf(market))).net);
      }
    }
    return net;
  }

  #priceScaleOf(market: string): number {
    return this.#view.markets.get(market)?.priceScale ?? 0;
  }

  /** A currency first traded during this run starts from nothing, one taken over as it is. */
  #accountOf(currency: string): Account {
    const known = this.#knownAccount(currency);
    if (known !== undefined) return known;
    const { dailyLossMax, drawdownMax } = currencyLimitsOf(this.#view.config, currency);
    const start = this.#isStarted ? Decimal.ZERO : undefined;
    const account = {
      ...{ currency, net: Decimal.ZERO, unpriced: undefined, dayStart: start, peak: start },
      dailyLossMax: Decimal.of(dailyLossMax),
      drawdownMax: Decimal.of(drawdownMax),
      ...{ quietFrom: Number.NaN, quietTo: Number.NaN, drift: 0, doubt: 0 },
    };
    this.#accounts.push(account);
    return account;
  }

  #knownAccount(currency: string): Account | undefined {
    return this.#accounts.find((account) => account.currency === currency);
  }
}

/** Whether what the marks moved surely passes no limit and makes no new high. */
function isBetween({ drift, doubt, quietFrom, quietTo }: Account): boolean {
  return drift === 0 || (drift - doubt > quietFrom && drift + doubt < quietTo);
}

/** Notes how far the profit may move until it has to be judged again. */
function rememberQuiet(account: Account): void {
  const { net, dayStart, peak, dailyLossMax, drawdownMax } = account;
  const high = peak ?? net;
  const ofDay = (dayStart ?? net).minus(dailyLossMax).minus(net).toNumber();
  const ofPeak = high.minus(drawdownMax).minus(net).toNumber();
  account.quietFrom = Math.max(ofDay, ofPeak) * (1 - ROUNDING);
  account.quietTo = high.minus(net).toNumber() * (1 - ROUNDING);
}

function higher(a: Decimal, b: Decimal): Decimal {
  return a.compare(b) >= 0 ? a : b;
}
