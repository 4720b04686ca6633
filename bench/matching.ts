/**
 * Orders a second through the matching engine with its ledgers, in process.
 *
 * Half of the operations place an order that rests, four tenths cancel one, a tenth crosses. The
 * same run times a reference loop (array writes driven by the same random numbers), so that the
 * ratio can be compared between machines.
 *
 * Run: node bench/matching.ts [operations]
 */
import { priceOf, type Side } from '../src/domain/index.ts';
import { type Random, seededRandom, VirtualClock } from '../src/kernel/index.ts';
import type { AccountOrder } from '../src/sim/account-order.ts';
import { Accounts } from '../src/sim/accounts.ts';
import { Currencies } from '../src/sim/currencies.ts';
import { FeeRate } from '../src/sim/fee-rate.ts';
import { marketUnits } from '../src/sim/market-units.ts';
import { MatchingEngine, type Placement } from '../src/sim/matching-engine.ts';
import { OrderIds } from '../src/sim/order-ids.ts';

const OPERATIONS = Number(process.argv[2] ?? 2_000_000);
const ROUNDS = 5;
const ACCOUNTS = 50;
/** Resting orders spread over that many ticks a side. */
const TICKS = 200;

const market = {
  id: 'btc_usdt',
  base: 'btc',
  quote: 'usdt',
  priceScale: 2,
  amountScale: 4,
  minAmount: 0.0001,
  minSize: 0.01,
};

type Step =
  | { readonly kind: 'place'; readonly account: number; readonly placement: Placement }
  | { readonly kind: 'cancel'; readonly pick: number };

function openEngine(): MatchingEngine {
  const clock = new VirtualClock(Date.UTC(2022, 1, 22));
  const currencies = new Currencies([market]);
  const accounts = new Accounts(currencies, ACCOUNTS);
  for (let account = 0; account < ACCOUNTS; account++) {
    for (const currency of [0, 1]) {
      accounts.deposit(accounts.rowOf(account, 0), { currency, units: 1e14 });
    }
  }
  let ordinal = 0;
  return new MatchingEngine({
    clock,
    units: marketUnits(market, currencies),
    accounts,
    fees: { maker: new FeeRate(0.002), taker: new FeeRate(0.002) },
    ids: new OrderIds(clock),
    nextOrdinal: () => ordinal++,
    orderChanged: () => {},
  });
}

function drawStep(random: Random): Step {
  const draw = random.next();
  if (draw < 0.4) return { kind: 'cancel', pick: random.next() };
  const side: Side = random.next() < 0.5 ? 'buy' : 'sell';
  const crosses = draw < 0.5;
  const distance = (crosses ? -1 : 1) * (1 + random.integer(TICKS));
  const price = priceOf(market, 30_000 + (side === 'buy' ? -distance : distance) * 0.01);
  const amount = (1 + random.integer(crosses ? 300 : 100)) / 10_000;
  const type = crosses ? 'ioc' : 'limit';
  const placement = { side, type, price, amount } as Placement;
  return { kind: 'place', account: random.integer(ACCOUNTS), placement };
}

/** Orders a second of the engine; the steps are drawn beforehand. */
function timeEngine(steps: readonly Step[]): number {
  const engine = openEngine();
  const open: AccountOrder[] = [];
  const start = performance.now();
  for (const step of steps) {
    if (step.kind === 'place') {
      const order = engine.place(step.account, step.placement);
      if (!order.closed) open.push(order);
      continue;
    }
    if (open.length === 0) continue;
    const at = Math.floor(step.pick * open.length);
    const order = open[at]!;
    open[at] = open[open.length - 1]!;
    open.pop();
    engine.cancel(order);
  }
  const seconds = (performance.now() - start) / 1_000;
  console.log(
    `  ${Math.round(steps.length / seconds).toLocaleString('en')} operations/s, ` +
      `${engine.tape.lastId - engine.tape.firstId + 1} trades, ${engine.book.bids.size} bid levels`,
  );
  return steps.length / seconds;
}

/** The reference: a random read and write in an array of the size of the book for each step. */
function timeReference(steps: readonly Step[]): number {
  const cells = new Float64Array(1 << 16);
  const start = performance.now();
  let at = 1;
  for (const step of steps) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    cells[at & 0xffff]! += step.kind === 'place' ? step.placement.price : -step.pick;
  }
  return steps.length / ((performance.now() - start) / 1_000);
}

const random = seededRandom('matching');
const steps = Array.from({ length: OPERATIONS }, () => drawStep(random));
const rates: number[] = [];
for (let round = 0; round < ROUNDS; round++) rates.push(timeEngine(steps));
const reference = Math.max(...Array.from({ length: ROUNDS }, () => timeReference(steps)));
const best = Math.max(...rates);
console.log(`matching: ${Math.round(best).toLocaleString('en')} operations/s`);
console.log(`reference loop: ${Math.round(reference).toLocaleString('en')} steps/s`);
console.log(`ratio: ${(best / reference).toFixed(4)}`);
