import { Decimal } from '../../src/kernel/index.ts';
import { ADOPTED } from '../../src/ledger/index.ts';
import { JournalReader } from '../../src/storage/index.ts';
import { must } from './invariants.ts';
import { JOURNAL, type World } from './world.ts';

/** How far sums of money may be apart. */
const MONEY_HAIR = 1e-6;

/** I6, I7, I8: the bot's picture is the exchange's, and what is not wanted is gone. */
export function checkAgreement(world: World): void {
  const { books, bot } = world;
  must(world.life.status === 'running', `I7: the bot is ${world.life.status}`);
  const { orders } = bot.sources;
  const live = [...orders.allLive()].filter(({ market }) => world.venue.isListed(market));
  const unsettled = live.filter(({ status }) => status !== 'open');
  must(unsettled.length === 0, `I7: still ${unsettled.map(({ status }) => status)} in the calm`);
  const managed = live.map((order) => order.exchangeOrderId ?? '');
  const open = [...books.open].map(({ exchangeOrderId }) => exchangeOrderId);
  const policy = world.config.executor.foreignOrders;
  const expected = policy === 'ignore' ? open.filter((id) => books.isOwn(id)) : open;
  mustMatch('I7: open orders', { bot: managed, exchange: expected });
  if (policy === 'cancel') must(books.foreignOpen.length === 0, 'I7: foreign orders rest on');
  for (const order of live) {
    const filled = books.record(order.exchangeOrderId ?? '');
    must(filled?.filledAmount === order.filledAmount, `I6: fills of ${order.clientOrderId} differ`);
  }
  checkHoldings(world);
}

/** `checkAgreement` once trouble has settled, and nobody wishes or trades any more. */
export function checkSettled(world: World, settleMs = 0): void {
  world.advance(settleMs);
  world.strategiesSpeak = false;
  world.stillMarkets();
  world.advance(15_000);
  checkAgreement(world);
}

/** I6: what is held is what own orders have brought, and balances are the exchange's. */
export function checkHoldings(world: World): void {
  checkPositions(world);
  checkBalances(world);
}

/** What each strategy holds is what its orders brought, and what all paid: adopted ones come besides. */
function checkPositions(world: World): void {
  const { books, bot, view, venue } = world;
  const { positions } = bot.sources;
  for (const { id } of view.markets) {
    // What was filled there last nobody tells any more.
    if (!venue.isListed(id)) continue;
    const real = broughtIn(world, id);
    must(!real.has(NOBODY), `I6: the bot has never told whose ${real.get(NOBODY)} of ${id} are`);
    const held = positions.held().find(({ market }) => market === id)?.ofStrategy ?? new Map();
    // Of two orders alike it is not told which of them bears the id.
    const told = books.twinCount > 0 ? [] : [...real.keys(), ...held.keys()];
    for (const strategy of new Set(told)) {
      if (strategy === ADOPTED) continue;
      const ours = held.get(strategy)?.amount ?? Decimal.ZERO;
      const theirs = real.get(strategy) ?? Decimal.ZERO;
      must(ours.equals(theirs), `I6: ${strategy} has ${theirs} of ${id}, the bot says ${ours}`);
    }
    const { amount, cost, realizedProfit, fees } = positions.position(id);
    const ofOwn = amount.minus(held.get(ADOPTED)?.amount ?? Decimal.ZERO);
    const all = [...real.values()].reduce((sum, one) => sum.plus(one), Decimal.ZERO);
    must(ofOwn.equals(all), `I6: the position of ${id} is ${all}, the bot's is ${ofOwn}`);
    if (held.has(ADOPTED)) continue;
    const ours = cost.minus(realizedProfit).plus(fees);
    const paid = paidIn(world, id);
    // A mean cost is rounded.
    const isPaid = Math.abs(ours.minus(paid).toNumber()) < MONEY_HAIR;
    must(isPaid, `I6: ${paid} were paid in ${id}, the bot says ${ours}`);
  }
}

/** Whose orders are that the bot has not told of yet, those of a batch. */
const NOBODY = 'nobody';

/** What own orders brought each strategy in a market, fees taken off, by the exchange's books. */
export function broughtIn({ books, owners }: World, market: string): Map<string, Decimal> {
  const brought = new Map<string, Decimal>();
  for (const record of books.own) {
    if (record.market !== market || record.filledAmount === 0) continue;
    const { side, filledAmount, fee = Decimal.ZERO } = record;
    const strategy = owners.of(record, books) ?? NOBODY;
    const traded = Decimal.of(filledAmount);
    const one = side === 'buy' ? traded.minus(fee) : traded.negated();
    brought.set(strategy, (brought.get(strategy) ?? Decimal.ZERO).plus(one));
  }
  return brought;
}

/** What own orders paid in a market, all together and fees included. */
function paidIn({ books }: World, market: string): Decimal {
  let paid = Decimal.ZERO;
  for (const record of books.own) {
    if (record.market !== market) continue;
    const { side, filledValue, fee = Decimal.ZERO } = record;
    paid = paid.plus(side === 'buy' ? filledValue : filledValue.negated().plus(fee));
  }
  return paid;
}

/** The bot's newest word on each balance, against the exchange's. */
function checkBalances(world: World): void {
  for (const { currency, available, frozen } of world.exchange.inspect('main').balances) {
    const known = world.balances.get(currency);
    const same = known?.available.equals(available) && known.frozen.equals(frozen);
    must(
      same === true,
      `I6: ${currency} is ${available} + ${frozen} frozen, the bot's is ` +
        `${known?.available} + ${known?.frozen}`,
    );
  }
}

/** After a stop nothing of the bot's rests, and it says so where every market of the run answers. */
export function checkGone(world: World, verified: boolean | undefined): void {
  must(verified !== undefined, 'I7: the stop is not over');
  const answers = [...world.bot.sources.markets.keys()].every((id) => world.venue.isListed(id));
  must(verified || !answers, 'I7: the stop is not verified');
  const left = world.books.ownOpen.length;
  must(left === 0, `I7: ${left} orders rest after the stop`);
}

/**
 * I8: every line of every life is as it was written, but for market data that is dropped, and the
 * fills in them are those of the exchange.
 */
export function checkJournal(world: World): void {
  const { disk, life } = world;
  const reader = new JournalReader(JOURNAL, disk.of(life.process));
  const broken = reader.runs().filter(({ id }) => !reader.verify(id).intact);
  checkFills(world, reader);
  reader.close();
  must(broken.length === 0, `I8: the journal of run ${broken.map(({ id }) => id)} is not whole`);
}

/** I8: what all lives wrote of the fills of an order and their fees, in sum, is what it traded. */
function checkFills({ books, venue }: World, reader: JournalReader): void {
  // Of two orders alike it is not told which of them bears the id.
  if (books.twinCount > 0) return;
  const told = new Map<string, Sums>();
  const add = (id = '', { amount, value, fee }: Sums): void => {
    const sums = told.get(id) ?? NOTHING;
    const [amounts, values] = [sums.amount.plus(amount), sums.value.plus(value)];
    told.set(id, { amount: amounts, value: values, fee: sums.fee.plus(fee) });
  };
  for (const { id: run } of reader.runs()) {
    for (const { event } of reader.events({ run, kinds: ['fill', 'lateFee'] })) {
      if (event.kind === 'fill') {
        const { exchangeOrderId, amount, value, fee } = event.fill;
        add(exchangeOrderId, { amount: Decimal.of(amount), value, fee });
      } else if (event.kind === 'lateFee') {
        const { exchangeOrderId, fee } = event.lateFee;
        add(exchangeOrderId, { ...NOTHING, fee });
      }
    }
  }
  for (const { exchangeOrderId, market, filledAmount, filledValue, fee } of books.own) {
    if (!venue.isListed(market)) continue;
    const real = { amount: Decimal.of(filledAmount), value: filledValue, fee: fee ?? NOTHING.fee };
    const ours = textOf(told.get(exchangeOrderId) ?? NOTHING);
    must(ours === textOf(real), `I8: ${exchangeOrderId} ${textOf(real)}, the journal says ${ours}`);
  }
}

/** What an order has traded, and its fee. */
interface Sums {
  readonly amount: Decimal;
  readonly value: Decimal;
  readonly fee: Decimal;
}

const NOTHING: Sums = { amount: Decimal.ZERO, value: Decimal.ZERO, fee: Decimal.ZERO };

function textOf({ amount, value, fee }: Sums): string {
  return `traded ${amount} for ${value}, fee ${fee}`;
}

function mustMatch(
  what: string,
  { bot, exchange }: { readonly bot: readonly string[]; readonly exchange: readonly string[] },
): void {
  const ours = [...bot].sort().join(' ');
  const theirs = [...exchange].sort().join(' ');
  must(ours === theirs, `${what}: the bot has [${ours}], the exchange [${theirs}]`);
}
