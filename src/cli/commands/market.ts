import { type Command, Option } from 'commander';
import { type Depth, type Market, rooms, type Ticker } from '../../app/index.ts';
import { collected, marketId, number, wholeNumber } from '../arguments.ts';
import { numbers, table, withPlaces, words } from '../table.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  examplesText,
  type Findings,
  venueCommand,
  type Work,
} from './context.ts';
import { addCandles, addTrades } from './market-history.ts';
import { digits, percent, utc } from './values.ts';

const { marketNamed, marketsOf, pick, read } = await rooms.terminal();

/** `tradewind market ...`: public market data. Needs no key. */
export function defineMarket(group: Command, context: CommandContext): void {
  group.addHelpText('after', examplesText(['market tickers', 'market depth btc_usdt --size 5']));
  addList(group, context);
  addTickers(group, context);
  addDepth(group, context);
  addTrades(group, context);
  addCandles(group, context);
}

function addList(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'list',
    description: 'the markets and their rules',
    needs: {},
    examples: ['market list'],
  }).action((flags: CommonFlags) =>
    answer(context, { flags }, async ({ venue, paint }) => {
      const markets = [...(await marketsOf(venue)).values()];
      return {
        json: { markets: markets.map(marketJson) },
        lines: table(
          [
            words('market'),
            numbers('price places'),
            numbers('amount places'),
            numbers('least amount'),
            numbers('least value'),
          ],
          { rows: markets.map((market) => Object.values(marketJson(market)).map(String)), paint },
        ),
      };
    }),
  );
}

function marketJson({ id, priceScale, amountScale, minAmount, minSize }: Market) {
  const least = { minAmount: digits(minAmount), minSize: digits(minSize) };
  return { market: id, priceScale, amountScale, ...least };
}

function addTickers(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'tickers',
    description: 'the last 24 hours of every market, or of those named',
    needs: {},
    examples: ['market tickers', 'market tickers btc_usdt --json'],
  })
    .argument('[markets...]', 'such as btc_usdt (default: all)', collected(marketId))
    .action((ids: readonly string[], flags: CommonFlags) =>
      answer(context, { flags }, async (work) => {
        const { venue } = work;
        const markets = await marketsOf(venue);
        for (const id of ids) pick(markets, { venue, id });
        const all = await read(venue, venue.exchange.market.tickers());
        return tickersFound(
          all.filter(({ market }) => ids.length === 0 || ids.includes(market)),
          work,
        );
      }),
    );
}

function tickersFound(tickers: readonly Ticker[], { paint }: Work): Findings {
  const json = tickers.map((one) => ({
    market: one.market,
    last: digits(one.last),
    bid: digits(one.bid),
    ask: digits(one.ask),
    open: digits(one.open),
    high: digits(one.high),
    low: digits(one.low),
    volume: digits(one.volume),
    change: digits(one.change),
    time: utc(one.exchangeTime),
  }));
  const heads = ['last', 'bid', 'ask', 'open', 'high', 'low', 'volume'] as const;
  const rows = tickers.map((one, at) => [
    one.market,
    ...heads.map((head) => json[at]![head]),
    percent(one.change),
  ]);
  const columns = [words('market'), ...heads.map(numbers), numbers('change')];
  return { json: { tickers: json }, lines: table(columns, { rows, paint }) };
}

interface DepthFlags extends CommonFlags {
  readonly size: number;
  readonly merge?: number;
}

function addDepth(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'depth',
    description: 'the order book, best prices first',
    needs: {},
    examples: ['market depth btc_usdt --size 5', 'market depth btc_usdt --merge 10'],
  })
    .argument('<market>', 'such as btc_usdt', marketId)
    .option('--size <levels>', 'levels a side, 1 to 50', wholeNumber(1, 50), 10)
    .addOption(
      new Option(
        '--merge <step>',
        'merge prices to this step; shows 5 levels a side, no other size',
      )
        .argParser(number((n) => Number.isFinite(n) && n > 0, 'a price step above 0'))
        .conflicts('size'),
    )
    .action((id: string, flags: DepthFlags) =>
      answer(context, { flags }, async (work) => {
        const { venue } = work;
        const market = await marketNamed(venue, id);
        const { size, merge } = flags;
        const query = { market: market.id, ...(merge === undefined ? { size } : { merge }) };
        const depth = await read(venue, venue.exchange.market.depth(query));
        return depthFound(depth, { market, ...work });
      }),
    );
}

function depthFound(
  { bids, asks, exchangeTime }: Depth,
  { market, paint }: Work & { readonly market: Market },
): Findings {
  const { id, base, quote, priceScale, amountScale } = market;
  const side = (levels: Depth['bids']) =>
    levels.map(([price, amount]) => ({ price: digits(price), amount: digits(amount) }));
  const json = { market: id, time: utc(exchangeTime), bids: side(bids), asks: side(asks) };
  type Level = (typeof json.bids)[number] | undefined;
  const priceOf = (level: Level) => (level ? withPlaces(level.price, priceScale) : '');
  const amountOf = (level: Level) => (level ? withPlaces(level.amount, amountScale) : '');
  const rows = Array.from({ length: Math.max(bids.length, asks.length) }, (_, at) => {
    const bid = json.bids[at];
    const ask = json.asks[at];
    return [amountOf(bid), priceOf(bid), priceOf(ask), amountOf(ask)];
  });
  const heads = [`amount ${base}`, `bid ${quote}`, `ask ${quote}`, `amount ${base}`];
  const lines = table(heads.map(numbers), { rows, paint });
  return { json, lines: [`${id}  ${json.time}`, ...lines] };
}
