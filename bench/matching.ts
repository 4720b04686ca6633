/**
 * Orders a second through the matching engine with its ledgers (balances, what is frozen, fees), in
 * process; then as an exchange runs it: with bills of every fill, customerOrderIds on half of the
 * orders, and the publisher that each change is told to, with nobody subscribed.
 *
 * Half of the operations place an order that rests, four tenths cancel one, a tenth crosses: the
 * book stays about as deep as it was at the start. Goal: 2 000 000 operations a second of the engine
 * with its ledgers, in the best of the rounds. The same run times a reference loop (array writes
 * driven by the same random numbers), so that the ratio can be compared between machines.
 *
 * Run: node bench/matching.ts [operations a round] [ledgers | exchange] [rounds]
 */
import { type Amount, type Price, priceOf } from '../src/domain/index.ts';
import { type Random, seededRandom, VirtualClock } from '../src/kernel/index.ts';
import { AccountPushes } from '../src/sim/account-pushes.ts';
import { Accounts } from '../src/sim/accounts.ts';
import { Currencies } from '../src/sim/currencies.ts';
import { FeeRate } from '../src/sim/fee-rate.ts';
import { Bills } from '../src/sim/funds/index.ts';
import { marketUnits } from '../src/sim/market-units.ts';
import { MatchingEngine, type Placement } from '../src/sim/matching-engine.ts';
import { OrderIds } from '../src/sim/order-ids.ts';
import type { OrderStore } from '../src/sim/order-store.ts';
import { Publisher } from '../src/sim/publisher.ts';

const OPERATIONS = Number(process.argv[2] ?? 1_000_000);
const SETTINGS = (['ledgers', 'exchange'] as const).filter(
  (setting) => setting === (process.argv[3] ?? setting),
);
const ROUNDS = Number(process.argv[4] ?? 10);
const ACCOUNTS = 50;
/** Orders that rest before the clock starts. */
const RESTING = 5_000;
/** Resting orders spread over that many ticks a side. */
const TICKS = 200;
/** What the engine with its ledgers must do, operations a second. */
const GOAL = 2_000_000;

const market = {
  id: 'btc_usdt',
  base: 'btc',
  quote: 'usdt',
  priceScale: 2,
  amountScale: 4,
  minAmount: 0.0001,
  minSize: 0.01,
};

/** The operations, drawn beforehand: in columns, so that reading them costs next to nothing. */
interface Steps {
  readonly count: number;
  /** Account of the order to place, -1 to cancel one. */
  readonly accounts: Int8Array;
  /** Which of the open orders to cancel, 0 to 1. */
  readonly picks: Float64Array;
  readonly buys: Uint8Array;
  readonly crosses: Uint8Array;
  readonly prices: Float64Array;
  readonly amounts: Float64Array;
  readonly named: Uint8Array;
}

/** The open orders, in no order, and some that have closed meanwhile. */
class OpenOrders {
  readonly #slots: number[] = [];
  /** Slots serve again: the running number tells whether it is still the same order. */
  readonly #ordinals: number[] = [];
  readonly #store: OrderStore;

  constructor(store: OrderStore) {
    this.#store = store;
  }

  add(slot: number): void {
    if (this.#store.isClosed(slot)) return;
    this.#slots.push(slot);
    this.#ordinals.push(this.#store.ordinal(slot));
  }

  /** Takes one out that is still open, undefined when there is none. */
  take(fraction: number): number | undefined {
    while (this.#slots.length > 0) {
      const at = Math.floor(fraction * this.#slots.length);
      const slot = this.#slots[at]!;
      const ordinal = this.#ordinals[at]!;
      const lastSlot = this.#slots.pop()!;
      const lastOrdinal = this.#ordinals.pop()!;
      if (at < this.#slots.length) {
        this.#slots[at] = lastSlot;
        this.#ordinals[at] = lastOrdinal;
      }
      if (!this.#store.isClosed(slot) && this.#store.ordinal(slot) === ordinal) return slot;
    }
    return undefined;
  }
}

/** The engine alone, or with all that an exchange hangs on it. */
type Setting = 'ledgers' | 'exchange';

function openEngine(setting: Setting): MatchingEngine {
  const clock = new VirtualClock(Date.UTC(2022, 1, 22));
  const currencies = new Currencies([market]);
  const accounts = new Accounts(currencies, ACCOUNTS);
  for (let account = 0; account < ACCOUNTS; account++) {
    for (const currency of [0, 1]) {
      accounts.receive(accounts.cell(accounts.rowOf(account, 0), currency), 1e14);
    }
  }
  const units = marketUnits(market, { currencies });
  const bills = new Bills({ clock, accounts, ids: new OrderIds(clock), count: ACCOUNTS });
  const pushes = Array.from({ length: ACCOUNTS }, () => new AccountPushes());
  const publisher = new Publisher({ clock, accounts, pushes, pushMs: 0 });
  let ordinal = 0;
  return new MatchingEngine({
    clock,
    units,
    accounts,
    fees: { maker: new FeeRate(0.002), taker: new FeeRate(0.002) },
    ids: new OrderIds(clock),
    nextOrdinal: () => ordinal++,
    ...(setting === 'exchange'
      ? {
          orderFilled: (order, fill) => bills.recordFill(order, { fill, units }),
          orderChanged: (order) => publisher.orderChanged(order, units),
        }
      : { orderChanged: () => {} }),
  });
}

const TITLES: Readonly<Record<Setting, string>> = {
  ledgers: 'matching engine with its ledgers (the figure that the goal is set for)',
  exchange: 'the same with bills, customerOrderIds and publisher, as an exchange runs it',
};

/** At first only orders that rest, then the mixture. */
function drawSteps(random: Random, count: number): Steps {
  const steps = {
    count,
    accounts: new Int8Array(count).fill(-1),
    picks: new Float64Array(count),
    buys: new Uint8Array(count),
    crosses: new Uint8Array(count),
    prices: new Float64Array(count),
    amounts: new Float64Array(count),
    named: new Uint8Array(count),
  };
  for (let at = 0; at < count; at++) {
    const draw = at < RESTING ? 1 : random.next();
    if (draw < 0.4) {
      steps.picks[at] = random.next();
      continue;
    }
    const buys = random.next() < 0.5;
    const crosses = draw < 0.5;
    const distance = (crosses === buys ? 1 : -1) * (1 + random.integer(TICKS));
    steps.accounts[at] = random.integer(ACCOUNTS);
    steps.buys[at] = buys ? 1 : 0;
    steps.crosses[at] = crosses ? 1 : 0;
    steps.prices[at] = priceOf(market, 30_000 + distance * 0.01);
    steps.named[at] = random.next() < 0.5 ? 1 : 0;
    steps.amounts[at] = (1 + random.integer(crosses ? 110 : 100)) / 10_000;
  }
  return steps;
}

/** Texts that nobody has read yet, as those of a request are: their hashes are still to be made. */
function freshNames({ count, named }: Steps): (string | undefined)[] {
  return Array.from({ length: count }, (_, at) =>
    named[at] === 1 ? Buffer.from(`tradewind${at}`).toString('latin1') : undefined,
  );
}

function placementAt(steps: Steps, at: number, clientOrderId?: string): Placement {
  const side = steps.buys[at] === 1 ? 'buy' : 'sell';
  const type = steps.crosses[at] === 1 ? 'ioc' : 'limit';
  const price = steps.prices[at]! as Price;
  const amount = steps.amounts[at]! as Amount;
  return clientOrderId === undefined
    ? { side, type, price, amount }
    : { side, type, price, amount, clientOrderId };
}

/**
 * Which order each step cancels, 0 for none: found by a run beforehand, so that picking one that is
 * open is not counted. The engine gives the same orders the same slots each time.
 */
function rehearse(steps: Steps): Int32Array {
  const engine = openEngine('ledgers');
  const open = new OpenOrders(engine.book.orders);
  const cancels = new Int32Array(steps.count);
  for (let at = 0; at < steps.count; at++) {
    const account = steps.accounts[at]!;
    if (account >= 0) {
      open.add(engine.place(account, placementAt(steps, at)));
      continue;
    }
    cancels[at] = open.take(steps.picks[at]!) ?? 0;
    if (cancels[at] !== 0) engine.cancel(cancels[at]!);
  }
  return cancels;
}

/** Operations a second of the engine. */
function timeEngine(steps: Steps, cancels: Int32Array, setting: Setting): number {
  const engine = openEngine(setting);
  const names = setting === 'exchange' ? freshNames(steps) : [];
  let start = performance.now();
  for (let at = 0; at < steps.count; at++) {
    if (at === RESTING) start = performance.now();
    const account = steps.accounts[at]!;
    if (account >= 0) engine.place(account, placementAt(steps, at, names[at]));
    else if (cancels[at] !== 0) engine.cancel(cancels[at]!);
  }
  const seconds = (performance.now() - start) / 1_000;
  const rate = (steps.count - RESTING) / seconds;
  console.log(
    `  ${written(rate)} operations/s, ` +
      `${engine.tape.lastId - engine.tape.firstId + 1} trades, ${engine.book.bids.size} bid levels`,
  );
  return rate;
}

function written(rate: number): string {
  return Math.round(rate).toLocaleString('en');
}

/** The reference: a random read and write in an array of the size of the book for each step. */
function timeReference(steps: Steps): number {
  const cells = new Float64Array(1 << 16);
  const start = performance.now();
  let at = 1;
  for (let step = 0; step < steps.count; step++) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    cells[at & 0xffff]! += steps.accounts[step]! < 0 ? -steps.picks[step]! : steps.prices[step]!;
  }
  return steps.count / ((performance.now() - start) / 1_000);
}

const steps = drawSteps(seededRandom('matching'), RESTING + OPERATIONS);
const cancels = rehearse(steps);
const reference = Math.max(...Array.from({ length: ROUNDS }, () => timeReference(steps)));
for (const setting of SETTINGS) {
  console.log(`${TITLES[setting]}:`);
  const rates = Array.from({ length: ROUNDS }, () => timeEngine(steps, cancels, setting));
  const best = Math.max(...rates);
  const goal = setting === 'ledgers' ? `goal: at least ${written(GOAL)} operations/s` : 'no goal';
  console.log(`  best: ${written(best)} operations/s; ${goal}`);
  console.log(`  ratio to the reference loop: ${(best / reference).toFixed(4)}`);
}
console.log(`reference loop: ${written(reference)} steps/s`);
