import { Decimal } from '../../src/kernel/index.ts';
import { JournalReader } from '../../src/storage/index.ts';
import { Violation } from './invariants.ts';
import { JOURNAL, type World } from './world.ts';

function must(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Violation(text);
}

/** I6, I7, I8: the bot's picture is the exchange's, and what is not wanted is gone. */
export function checkAgreement(world: World): void {
  const { books, bot } = world;
  must(world.life.status === 'running', `I7: the bot is ${world.life.status}`);
  const { orders } = bot.sources;
  const live = [...orders.allLive()].filter(({ market }) => world.venue.isListed(market));
  const unsettled = live.filter(({ status }) => status !== 'open');
  must(unsettled.length === 0, `I7: still ${unsettled.map(({ status }) => status)} in the calm`);
  const managed = live.map((order) => ('exchangeOrderId' in order ? order.exchangeOrderId : ''));
  const open = [...books.open].map(({ exchangeOrderId }) => exchangeOrderId);
  const policy = world.config.executor.foreignOrders;
  const expected = policy === 'ignore' ? open.filter((id) => books.isOwn(id)) : open;
  mustMatch('I7: open orders', { bot: managed, exchange: expected });
  if (policy === 'cancel') must(books.foreignOpen.length === 0, 'I7: foreign orders rest on');
  for (const order of live) {
    const filled = books.record('exchangeOrderId' in order ? (order.exchangeOrderId ?? '') : '');
    must(filled?.filledAmount === order.filledAmount, `I6: fills of ${order.clientOrderId} differ`);
  }
  checkHoldings(world);
}

/** I6: what is held is what own orders have brought, and balances are the exchange's. */
export function checkHoldings(world: World): void {
  checkPositions(world);
  checkBalances(world);
}

/** What the strategy holds: adopted orders may have filled besides. */
function checkPositions({ books, bot, view, venue, options }: World): void {
  for (const { id, amountScale } of view.markets) {
    // What was filled there last nobody tells any more.
    if (!venue.isListed(id)) continue;
    const held = bot.sources.positions.position(id, `${options.strategy} ${id}`).amount;
    const traded = new Decimal(BigInt(books.ownNetUnits(id)), amountScale);
    const real = traded.minus(books.ownBaseFees(id));
    must(held.equals(real), `I6: the position of ${id} is ${real}, the bot's is ${held}`);
  }
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

/** I8: every line of every life is as it was written, but for market data that is dropped. */
export function checkJournal({ disk, life }: World): void {
  const reader = new JournalReader(JOURNAL, disk.of(life.process));
  const broken = reader.runs().filter(({ id }) => !reader.verify(id).intact);
  reader.close();
  must(broken.length === 0, `I8: the journal of run ${broken.map(({ id }) => id)} is not whole`);
}

function mustMatch(
  what: string,
  { bot, exchange }: { readonly bot: readonly string[]; readonly exchange: readonly string[] },
): void {
  const ours = [...bot].sort().join(' ');
  const theirs = [...exchange].sort().join(' ');
  must(ours === theirs, `${what}: the bot has [${ours}], the exchange [${theirs}]`);
}
