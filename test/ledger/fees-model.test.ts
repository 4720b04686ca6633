import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Amount,
  amountDecimal,
  type Booking,
  isFinal,
  type OrderRecord,
  type OrderState,
  type Side,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { journalLine } from '../../src/storage/index.ts';
import { reviveEvent } from '../../src/storage/text/revive.ts';
import { makeMarket, makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { makeLedgers } from './fixture.ts';

const MARKET = makeMarket();
const STEP = Decimal.of('0.0001');
/** The venue's rates; the bot guesses with others. */
const RATES = { maker: '0.0007', taker: '0.0013' };

/** The truth of an order: its trades, each with its fee, and the order after each. */
interface Truth {
  readonly side: Side;
  readonly type: OrderRecord['type'];
  readonly records: readonly OrderRecord[];
}

interface Trade {
  readonly units: number;
  readonly price: number;
  readonly isTaker: boolean;
}

const trade: fc.Arbitrary<Trade> = fc.record({
  units: fc.integer({ min: 1, max: 20_000 }),
  price: fc.integer({ min: 9_900, max: 10_000 }).map((cents) => cents / 100),
  isTaker: fc.boolean(),
});

const feesIn = fc.constantFrom('received' as const, 'base' as const, 'quote' as const);
type FeesIn = typeof feesIn extends fc.Arbitrary<infer F> ? F : never;

const order = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom('limit' as const, 'limit' as const, 'postOnly' as const, 'ioc' as const),
  trades: fc.array(trade, { minLength: 1, maxLength: 4 }),
  /** The amount that never trades. */
  rest: fc.integer({ min: 0, max: 1 }),
});
type Order = typeof order extends fc.Arbitrary<infer O> ? O : never;

/** The ways in which the bot may be told of an order as it was after so many trades. */
const telling = fc.record({
  order: fc.nat(2),
  trades: fc.nat(4),
  how: fc.constantFrom('push', 'push with fee', 'lookup', 'lookup with fee', 'cancel answer'),
});
type Telling = typeof telling extends fc.Arbitrary<infer T> ? T : never;

const isInBase = (side: Side, charged: FeesIn) =>
  charged === 'received' ? side === 'buy' : charged === 'base';

function truthOf(
  { side, type, trades, rest }: Order,
  { index, charged }: { index: number; charged: FeesIn },
): Truth {
  const units = trades.reduce((sum, each) => sum + each.units, rest);
  const terms = { exchangeOrderId: `${index}`, side, type, amount: amountOf(units) };
  let [filled, filledValue, fee] = [0, Decimal.ZERO, Decimal.ZERO];
  const records = [makeRecord({ ...terms, fee })];
  for (const { units: amount, price, isTaker } of trades) {
    const traded = STEP.times(Decimal.of(amount));
    const value = traded.times(Decimal.of(price));
    const rate = Decimal.of(isTaker ? RATES.taker : RATES.maker);
    filled += amount;
    filledValue = filledValue.plus(value);
    fee = fee.plus((isInBase(side, charged) ? traded : value).times(rate).round(8, 'up'));
    const closed = records.length === trades.length;
    const told = { filledAmount: amountOf(filled), filledValue, fee, closed };
    records.push(makeRecord({ ...terms, ...told }));
  }
  return { side, type, records };
}

const amountOf = (units: number) => STEP.times(Decimal.of(units)).toNumber() as Amount;
const clientId = (index: number) => `tw000${index}`;
const GUESSED = { maker: 0.0005, taker: 0.002 };

type Ledgers = ReturnType<typeof makeLedgers>;

function start(truths: readonly Truth[], charged: FeesIn): Ledgers {
  const ledgers = makeLedgers({ ...GUESSED, feesIn: charged });
  truths.forEach(({ side, type, records }, index) => {
    const { amount, price } = records[0]!;
    const id = clientId(index);
    ledgers.orders.create(makePending({ clientOrderId: id, side, type, amount, price }));
  });
  return ledgers;
}

function tell(
  { orders }: Ledgers,
  { order: index, trades, how }: Telling,
  truths: readonly Truth[],
) {
  const truth = truths[index];
  if (truth === undefined) return;
  const full = truth.records[Math.min(trades, truth.records.length - 1)]!;
  const { fee: _, ...silent } = full;
  if (how === 'cancel answer') {
    const { exchangeOrderId, filledAmount, filledValue } = full;
    const isLast = full === truth.records.at(-1);
    const known = orders.get(clientId(index));
    // The totals are those of the order's end.
    if (!isLast || known === undefined) return;
    const news = { kind: 'record', closed: true, exchangeOrderId, filledAmount } as const;
    orders.apply(clientId(index), { ...news, filledValue, time: 1, evidence: 'answer' });
    return;
  }
  const record = how.endsWith('with fee') ? full : silent;
  orders.record(record, how.startsWith('push') ? 'push' : 'query');
}

/** The answers to the requests that placed the orders. */
function answer({ orders }: Ledgers, truths: readonly Truth[]): void {
  truths.forEach((_, index) => {
    if (orders.get(clientId(index)) === undefined) return;
    const news = { kind: 'accepted', time: 1, evidence: 'answer' } as const;
    orders.apply(clientId(index), { ...news, exchangeOrderId: `${index}` });
  });
}

/** A new process that has read the journal of the one before. */
function restarted(former: Ledgers, charged: FeesIn): Ledgers {
  const next = makeLedgers({ ...GUESSED, feesIn: charged });
  const newest = new Map<string, OrderState>();
  for (const event of former.events.map((told) => reviveEvent(journalLine(told)))) {
    if (event.kind === 'order') newest.set(event.order.clientOrderId, event.order);
    next.events.push(event);
    for (const booking of bookingsOf([event])) next.positions.restore(booking);
  }
  for (const state of newest.values()) {
    if (!isFinal(state) || state.guessedFee !== undefined) next.orders.restore(state);
  }
  return next;
}

function bookingsOf(events: Ledgers['events']): Booking[] {
  return events.flatMap((event): Booking[] => {
    if (event.kind === 'fill') return [event.fill];
    return event.kind === 'lateFee' ? [event.lateFee] : [];
  });
}

/** The account's true gains: base and quote currency, and the fees. */
function oracle(truths: readonly Truth[], charged: FeesIn) {
  let [base, quote, baseFees, quoteFees] = Array(4).fill(Decimal.ZERO) as Decimal[];
  for (const { side, records } of truths) {
    const { filledAmount, filledValue, fee } = records.at(-1)!;
    const amount = amountDecimal(MARKET, filledAmount);
    base = base!.plus(side === 'buy' ? amount : amount.negated());
    quote = quote!.plus(side === 'buy' ? filledValue.negated() : filledValue);
    if (isInBase(side, charged)) baseFees = baseFees!.plus(fee!);
    else quoteFees = quoteFees!.plus(fee!);
  }
  const fees = [`btc ${baseFees}`, `usdt ${quoteFees}`];
  return { base: base!.minus(baseFees!), quote: quote!.minus(quoteFees!), fees };
}

/** The same gains by our books. */
function books({ positions, events }: Ledgers) {
  const { amount, cost, realizedProfit, fees } = positions.position(MARKET.id);
  const sumIn = (currency: string) =>
    bookingsOf(events)
      .filter(({ feeCurrency }) => feeCurrency === currency)
      .reduce((sum, { fee }) => sum.plus(fee), Decimal.ZERO);
  const told = [`btc ${sumIn('btc')}`, `usdt ${sumIn('usdt')}`];
  return { base: amount, quote: realizedProfit.minus(cost).minus(fees), fees: told };
}

const asText = ({ base, quote, fees }: ReturnType<typeof books>) => ({
  base: base.toString(),
  quote: quote.toString(),
  fees,
});

const scene = fc.record({
  charged: feesIn,
  orders: fc.array(order, { minLength: 1, maxLength: 3 }),
  tellings: fc.array(telling, { maxLength: 30 }),
  answerAt: fc.nat(10),
  restartAt: fc.option(fc.nat(30), { nil: undefined }),
});

describe('the ledgers, whatever tells the fees and when', () => {
  it('hold, paid and earned in the end what an account does that knew them all along', () => {
    fc.assert(
      fc.property(scene, ({ charged, orders, tellings, answerAt, restartAt }) => {
        const truths = orders.map((each, index) => truthOf(each, { index, charged }));
        let ledgers = start(truths, charged);
        tellings.forEach((told, step) => {
          if (step === answerAt) answer(ledgers, truths);
          if (step === restartAt && step > answerAt) ledgers = restarted(ledgers, charged);
          tell(ledgers, told, truths);
        });
        answer(ledgers, truths);
        const all = truths.map((_, index) => ({ order: index, trades: 4 }));
        for (const last of all) tell(ledgers, { ...last, how: 'lookup with fee' }, truths);
        expect(asText(books(ledgers))).toEqual(asText(oracle(truths, charged)));
        const count = ledgers.events.length;
        for (const again of [...tellings, ...tellings]) tell(ledgers, again, truths);
        expect(ledgers.events).toHaveLength(count);
        expect(
          ofKind(ledgers.events, 'lateFee').every(({ lateFee }) => lateFee.fee.sign !== 0),
        ).toBe(true);
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });
});
