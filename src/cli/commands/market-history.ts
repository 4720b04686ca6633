import { type Command, Option } from 'commander';
import { lastValueFrom, race, takeUntil, tap, timer } from 'rxjs';
import {
  type Candle,
  type Interval,
  type Market,
  printable,
  printableJson,
  rooms,
  type Trade,
} from '../../app/index.ts';
import { marketId, wholeNumber } from '../arguments.ts';
import { duration, intervalOption } from '../lengths.ts';
import { stopWishes } from '../stop-requests.ts';
import { grouped, numbers, table, withPlaces, words } from '../table.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  type Findings,
  venueCommand,
  type Work,
} from './context.ts';
import { digits, moment, utc } from './values.ts';

const { marketNamed, read } = await rooms.terminal();

interface TradeFlags extends CommonFlags {
  readonly since?: string;
  readonly follow?: boolean;
  readonly for?: number;
}

type TradeJson = ReturnType<typeof tradeJson>;

/** `tradewind market trades`: the public tape, read once or followed. */
export function addTrades(group: Command, context: CommandContext): void {
  const pushes = { pushes: true };
  venueCommand(group, {
    name: 'trades',
    description: 'the newest public trades, or the 50 after a trade; oldest first',
    needs: pushes,
    examples: ['market trades btc_usdt', 'market trades btc_usdt --follow --for 1m'],
  })
    .argument('<market>', 'such as btc_usdt', marketId)
    .option('--since <id>', 'the trades right after this one')
    .addOption(
      new Option('--follow', 'go on with those to come; with --json one document a line').conflicts(
        'since',
      ),
    )
    .addOption(
      new Option('--for <time>', 'follow for this time, such as 30s (default: until Ctrl-C)')
        .argParser(duration)
        .implies({ follow: true }),
    )
    .action((id: string, flags: TradeFlags) => {
      if (flags.follow === true) return followTrades(context, { id, flags });
      return answer(context, { flags }, async (work) => {
        const { venue } = work;
        const market = await marketNamed(venue, id);
        const query = { market: market.id, since: flags.since };
        const trades = await read(venue, venue.exchange.market.trades(query));
        return tradesFound(trades, { market, ...work });
      });
    });
}

/** Prints trades as they come, until a signal comes, their reader is gone, or the time is over. */
async function followTrades(
  context: CommandContext,
  { id, flags }: { readonly id: string; readonly flags: TradeFlags },
): Promise<void> {
  const venue = await context.connect(flags, { pushes: true });
  try {
    const market = await marketNamed(venue, id);
    const line = (trade: TradeJson): string => {
      const { time, side, price, amount, id: name } = placed(trade, market);
      const cells = [time, side.padEnd(4), grouped(price), grouped(amount), name];
      return cells.map(printable).join('  ');
    };
    const over =
      flags.for === undefined ? stopWishes : race(stopWishes, timer(flags.for, venue.clock));
    const trades = venue.exchange.marketFeed.trades(market.id).pipe(takeUntil(over));
    await lastValueFrom(
      trades.pipe(
        tap((batch) => {
          const found = batch.map(tradeJson);
          const texts = found.map(
            flags.json === true ? (one) => printableJson(JSON.stringify(one)) : line,
          );
          if (texts.length > 0) context.write(`${texts.join('\n')}\n`);
        }),
      ),
      { defaultValue: undefined },
    );
  } finally {
    await venue.close();
  }
}

function tradesFound(
  trades: readonly Trade[],
  { market, paint }: Work & { readonly market: Market },
): Findings {
  const json = trades.map(tradeJson);
  const rows = json
    .map((one) => placed(one, market))
    .map(({ id, time, side, price, amount }) => [time, side, price, amount, id]);
  const sums = [`price ${market.quote}`, `amount ${market.base}`].map(numbers);
  const columns = [words('time'), words('side'), ...sums, words('id')];
  return { json: { market: market.id, trades: json }, lines: table(columns, { rows, paint }) };
}

/** A trade for people: price and amount with all places of their market. */
function placed(trade: TradeJson, { priceScale, amountScale }: Market): TradeJson {
  const { price, amount } = trade;
  return {
    ...trade,
    price: withPlaces(price, priceScale),
    amount: withPlaces(amount, amountScale),
  };
}

function tradeJson({ id, exchangeTime, side, price, amount }: Trade) {
  return { id, time: utc(exchangeTime), side, price: digits(price), amount: digits(amount) };
}

interface CandleFlags extends CommonFlags {
  readonly interval: Interval;
  readonly since?: number;
  readonly size: number;
}

/** `tradewind market candles`: prices by intervals. */
export function addCandles(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'candles',
    description: 'candles, oldest first; the last one may still run',
    needs: {},
    examples: ['market candles btc_usdt --interval 1hour --size 24'],
  })
    .argument('<market>', 'such as btc_usdt', marketId)
    .addOption(intervalOption('length'))
    .option('--since <moment>', 'those that open after, such as 2024-01-31T10:00Z', moment)
    .option('--size <count>', 'how many at most, 1 to 1000', wholeNumber(1, 1000), 20)
    .action((id: string, flags: CandleFlags) =>
      answer(context, { flags }, async (work) => {
        const { venue } = work;
        const market = await marketNamed(venue, id);
        const { interval, size, since } = flags;
        const query = { market: market.id, interval, size, since };
        const candles = await read(venue, venue.exchange.market.candles(query));
        return candlesFound(candles, { market, interval, ...work });
      }),
    );
}

function candlesFound(
  candles: readonly Candle[],
  { market, interval, paint }: Work & { readonly market: Market; readonly interval: string },
): Findings {
  const heads = ['open', 'high', 'low', 'close', 'volume'] as const;
  const json = candles.map((one) => ({
    openTime: utc(one.openTime),
    open: digits(one.open),
    high: digits(one.high),
    low: digits(one.low),
    close: digits(one.close),
    volume: digits(one.volume),
    closed: one.closed,
  }));
  const rows = json.map((one) => [
    one.openTime,
    ...heads.map((head) => one[head]),
    one.closed ? '' : 'running',
  ]);
  const columns = [words('opens'), ...heads.map(numbers), words('')];
  const { id, base, quote } = market;
  const title = `${id} ${interval}, prices in ${quote}, volume in ${base}`;
  return {
    json: { market: id, interval, candles: json },
    lines: [title, ...table(columns, { rows, paint })],
  };
}
