import type { Side, WithdrawalStatus } from '../../../src/domain/index.ts';

/** A party of the ledger: an account, or the rest of the world, which needs no money. */
export type Party = 'alice' | 'bob' | 'world';
export type Coin = 'btc' | 'usdt';

/** Units of either coin are hundred millionths; a price has two places, an amount four. */
const VALUE_FACTOR = 100n;
const AMOUNT_FACTOR = 10_000n;
const MILLION = 1_000_000n;

interface NaiveOrder {
  readonly party: Party;
  readonly side: Side;
  readonly price: bigint;
  remaining: bigint;
}

interface NaiveWithdrawal {
  readonly party: Party;
  readonly coin: Coin;
  readonly amount: bigint;
  readonly fee: bigint;
  /** Whose deposit address it goes to, undefined for one elsewhere. */
  readonly to: Party | undefined;
  status: WithdrawalStatus;
}

interface NaiveDeposit {
  readonly party: Party;
  readonly coin: Coin;
  readonly amount: bigint;
  status: 'waiting' | 'failed' | 'succeeded';
}

/** Every wallet, order, deposit and withdrawal in plain arrays, searched from end to end. */
export class NaiveLedger {
  readonly free = new Map<string, bigint>();
  readonly frozen = new Map<string, bigint>();
  readonly fees: Record<Coin, bigint> = { btc: 0n, usdt: 0n };
  readonly outside: Record<Coin, bigint> = { btc: 0n, usdt: 0n };
  readonly orders: NaiveOrder[] = [];
  readonly withdrawals: NaiveWithdrawal[] = [];
  readonly deposits: NaiveDeposit[] = [];
  #now = 0;
  #events: { readonly at: number; readonly run: () => void }[] = [];

  place(order: Omit<NaiveOrder, 'remaining'> & { amount: bigint; ioc: boolean }): boolean {
    const { party, side, price, amount, ioc } = order;
    if (!this.freeze(party, side === 'buy' ? 'usdt' : 'btc', cost(side, price, amount))) {
      return false;
    }
    const taker = { party, side, price, remaining: amount };
    for (let maker = this.#best(taker); maker && taker.remaining > 0n; maker = this.#best(taker)) {
      const traded = taker.remaining < maker.remaining ? taker.remaining : maker.remaining;
      taker.remaining -= traded;
      maker.remaining -= traded;
      if (maker.party === 'world' && party === 'world') continue;
      this.#settle(maker, { price: maker.price, amount: traded, rate: 1_000n });
      this.#settle(taker, { price: maker.price, amount: traded, rate: 2_000n });
    }
    this.orders.push(taker);
    if (ioc) this.cancel(taker);
    return true;
  }

  cancel(order: NaiveOrder): boolean {
    if (order.remaining === 0n) return false;
    const { party, side, price, remaining } = order;
    this.#thaw(party, side === 'buy' ? 'usdt' : 'btc', cost(side, price, remaining));
    order.remaining = 0n;
    return true;
  }

  deposit(deposit: Omit<NaiveDeposit, 'status'>, fails: boolean): void {
    const waiting: NaiveDeposit = { ...deposit, status: 'waiting' };
    this.deposits.push(waiting);
    const waitMs = deposit.coin === 'btc' ? 1_200_000 : 60_000;
    this.#at(waitMs, () => {
      if (waiting.status !== 'waiting') return;
      waiting.status = fails ? 'failed' : 'succeeded';
      if (fails) return;
      add(this.free, key(deposit.party, deposit.coin), deposit.amount);
      this.outside[deposit.coin] -= deposit.amount;
    });
  }

  withdraw(terms: Omit<NaiveWithdrawal, 'status'>): boolean {
    const { party, coin, amount, fee } = terms;
    if (!this.freeze(party, coin, amount + fee)) return false;
    const withdrawal: NaiveWithdrawal = { ...terms, status: 'submitted' };
    this.withdrawals.push(withdrawal);
    this.#at(60_000, () => this.step(withdrawal, 'confirmed'));
    return true;
  }

  step(withdrawal: NaiveWithdrawal, status: WithdrawalStatus): boolean {
    const { status: before, party, coin, amount, fee, to } = withdrawal;
    const allowed = before === 'submitted' || (before === 'confirmed' && status !== 'cancelled');
    if (!allowed || before === status) return false;
    withdrawal.status = status;
    if (status === 'confirmed') this.#at(120_000, () => this.step(withdrawal, 'succeeded'));
    else this.#thaw(party, coin, amount + fee);
    if (status !== 'succeeded') return true;
    add(this.free, key(party, coin), -amount - fee);
    this.outside[coin] += amount + fee;
    if (to !== undefined) this.deposit({ party: to, coin, amount }, false);
    return true;
  }

  transfer({ from, to, coin, amount }: { from: Party; to: Party; coin: Coin; amount: bigint }) {
    if (this.freeOf(from, coin) < amount) return false;
    add(this.free, key(from, coin), -amount);
    add(this.free, key(to, coin), amount);
    return true;
  }

  advance(durationMs: number): void {
    const until = this.#now + durationMs;
    for (;;) {
      const due = this.#events.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#events = this.#events.filter((event) => event !== due);
      this.#now = due.at;
      due.run();
    }
    this.#now = until;
  }

  freeOf(party: Party, coin: Coin): bigint {
    return this.free.get(key(party, coin)) ?? 0n;
  }

  frozenOf(party: Party, coin: Coin): bigint {
    return this.frozen.get(key(party, coin)) ?? 0n;
  }

  /** Money on its way out of a wallet. */
  leaving(party: Party, coin: Coin): bigint {
    return this.withdrawals
      .filter((one) => one.party === party && one.coin === coin)
      .filter(({ status }) => status === 'submitted' || status === 'confirmed')
      .reduce((sum, { amount, fee }) => sum + amount + fee, 0n);
  }

  freeze(party: Party, coin: Coin, units: bigint): boolean {
    if (party !== 'world' && this.freeOf(party, coin) < units) return false;
    add(this.free, key(party, coin), -units);
    add(this.frozen, key(party, coin), units);
    return true;
  }

  #thaw(party: Party, coin: Coin, units: bigint): void {
    add(this.frozen, key(party, coin), -units);
    add(this.free, key(party, coin), units);
  }

  #settle(order: NaiveOrder, fill: { price: bigint; amount: bigint; rate: bigint }): void {
    const { party, side, price: limit } = order;
    const { price, amount, rate } = fill;
    const buys = side === 'buy';
    const [given, received]: [Coin, Coin] = buys ? ['usdt', 'btc'] : ['btc', 'usdt'];
    this.#thaw(party, given, cost(side, limit, amount));
    add(this.free, key(party, given), -cost(side, price, amount));
    const gross = cost(buys ? 'sell' : 'buy', price, amount);
    const fee = party === 'world' ? 0n : (gross * rate + MILLION - 1n) / MILLION;
    add(this.free, key(party, received), gross - fee);
    this.fees[received] += fee;
  }

  /** The best, then oldest, order against one within its limit. */
  #best({ side, price }: NaiveOrder): NaiveOrder | undefined {
    const sign = side === 'buy' ? 1n : -1n;
    return this.orders
      .filter((order) => order.remaining > 0n && order.side !== side)
      .filter((order) => sign * order.price <= sign * price)
      .sort((a, b) => Number(sign * (a.price - b.price)))[0];
  }

  #at(delayMs: number, run: () => void): void {
    this.#events.push({ at: this.#now + delayMs, run });
  }
}

function cost(side: Side, price: bigint, amount: bigint): bigint {
  return side === 'buy' ? price * amount * VALUE_FACTOR : amount * AMOUNT_FACTOR;
}

function key(party: Party, coin: Coin): string {
  return `${party} ${coin}`;
}

function add(sums: Map<string, bigint>, at: string, units: bigint): void {
  sums.set(at, (sums.get(at) ?? 0n) + units);
}
