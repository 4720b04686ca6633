import { currenciesOf } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import type { BacktestConfig } from './config.ts';
import type { Span } from './data/findings/span.ts';
import { accountCurrency, type BacktestDeployment } from './deployment.ts';
import { chargesText } from './fees.ts';
import { type HeardKind, polledKinds } from './hearing/polled-kinds.ts';
import { othersThan, type Route, routesTo } from './worth/routes.ts';

/**
 * Which parts of the account and the live machinery a run simulates, and which it leaves out: whole
 * sentences.
 *
 * `outages`: when the run's line to the exchange was cut.
 */
export function confessionOf(deployment: BacktestDeployment, outages: readonly Span[]): string[] {
  const { backtest, config } = deployment;
  const { simulate } = backtest;
  const quotes = new Set(config.markets.map((id) => currenciesOf(id).quote));
  return [
    feesText(backtest),
    ...chargesText(backtest.fees, [...quotes].join(' or ')),
    ...lentText(backtest),
    ...worthText(deployment),
    ...madeUpText(deployment),
    endText(backtest),
    ...leastText(backtest, config.markets),
    simulate.heartbeats
      ? 'Timed cancels are armed and refreshed as live.'
      : 'The timed cancels that guard live orders are left out: no order is lost to a missed ' +
        'heartbeat, and heartbeats take nothing of the request limits.',
    simulate.rateLimits
      ? 'Requests keep to the limits of the exchange: an order may wait for its turn.'
      : 'Requests have no limits: however many there are, none waits for its turn.',
    simulate.reconciliation
      ? `Orders and balances are read again every ${config.executor.reconcileMs / 1_000} s while ` +
        'orders are open, as live.'
      : 'Orders and balances are not read again to check what was pushed, and such reads take ' +
        'nothing of the request limits.',
    pollsText(simulate, config.data),
    outagesText(simulate, outages),
  ];
}

const HUNDRED = Decimal.of(100);

type Simulate = BacktestConfig['simulate'];
type DataConfig = BacktestDeployment['config']['data'];

function pollsText({ polls }: Simulate, data: DataConfig): string {
  const polled = polledKinds(data);
  if (!polls) {
    return polled.length === 0
      ? 'Market data are pushed, as live: every row is heard.'
      : 'The pauses between polls of market data, as live, are not modelled: every row is heard.';
  }
  const paces = { depth: data.depthPollMs, trades: data.tradesPollMs, candles: data.candlesPollMs };
  const pace = (kind: HeardKind): string => `${kind} every ${paces[kind] / 1_000} s`;
  return (
    `Market data are polled at the pace of a live run, ${polled.map(pace).join(', ')}, first at a ` +
    'random moment: what changes between two polls is seen at the later one, as it stands then. A ' +
    'poll reaches the exchange at once, and trades come in one answer, however many pages they fill.'
  );
}

function outagesText({ outages: settings }: Simulate, outages: readonly Span[]): string {
  if (settings === undefined) {
    return 'Outages of the exchange or of the connection are left out: every request is answered.';
  }
  const seconds = outages.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1_000;
  const arriving = Decimal.of(settings.arriving).times(HUNDRED);
  const times = outages.length === 1 ? 'once' : `${outages.length} times`;
  return (
    `The connection to the exchange is cut ${times}, for ${seconds} s in all. During an outage ` +
    `nothing is heard and no request is answered, but ${arriving} % of the requests arrive, and the ` +
    'exchange goes on. The bot is connected again as soon as the outage ends; requests that did not ' +
    'arrive by then never do.'
  );
}

function feesText({ fees }: Pick<BacktestConfig, 'fees'>): string {
  return fees.in === 'received'
    ? 'Fees are taken out of what a trade brings in, as the exchange does: of a buy in the base ' +
        'currency, of a sale in the quote currency.'
    : `All fees are taken in the ${fees.in} currency, on top of a trade that does not bring that ` +
        'currency in. The exchange differs: it takes every fee out of what the trade brings in.';
}

/** What the account was lent, to trade what it does not own. */
function lentText({ lent }: Pick<BacktestConfig, 'lent'>): string[] {
  const sums = Object.entries(lent).map(([currency, amount]) => `${amount} ${currency}`);
  if (sums.length === 0) return [];
  return [
    `The account is lent ${sums.join(' and ')} from beginning to end, to sell or to pay with: the ` +
      'loan costs nothing, counts in no figure, and is not called back when prices turn.',
  ];
}

/** Markets without a least order, in which orders trade that the exchange would refuse. */
function leastText({ markets: rules }: BacktestConfig, markets: readonly string[]): string[] {
  const unlimited = markets.filter((market) => {
    const { minAmount = 0, minSize = 0 } = rules[market] ?? {};
    return minAmount === 0 && minSize === 0;
  });
  if (unlimited.length === 0) return [];
  return [
    `Orders in ${unlimited.join(' and ')} may be as small as one step of the amount: the least ` +
      'amount and value that the exchange takes are not set (backtest.markets).',
  ];
}

/** How values in other currencies than the account's are converted. */
function worthText(deployment: BacktestDeployment): string[] {
  const { markets } = deployment.config;
  const currency = accountCurrency(deployment);
  const foreign = markets.filter((id) => currenciesOf(id).quote !== currency);
  if (foreign.length === 0) return [];
  const pairs = markets.map(currenciesOf);
  const routes = routesTo(currency, pairs);
  const by = (route: Route): string => route.map(({ market }) => markets[market]).join(' and ');
  const worths = othersThan(currency, pairs).map((one) => `${one} by ${by(routes.get(one)!)}`);
  return [
    `The account is valued in ${currency}, at market prices: ${worths.join(', ')}.`,
    `Profits and fees in ${foreign.join(', ')} are in another currency, and so they are in ` +
      `trades.csv. Figures convert them to ${currency} at the prices of the moment: of a fill when ` +
      'the bot learns of it, of an order when it is made, of a trade when it ends.',
  ];
}

/** Warns of made-up prices that disagree where several markets tell a currency's worth. */
function madeUpText({ backtest, config }: BacktestDeployment): string[] {
  const pairs = config.markets.map(currenciesOf);
  const currencies = new Set(pairs.flatMap(({ base, quote }) => [base, quote]));
  const made = Object.keys(backtest.generate);
  if (made.length === 0 || config.markets.length < currencies.size) return [];
  return [
    `The prices of ${made.join(', ')} are made up, each without regard to the other markets: a ` +
      'currency is worth more in one market than in another, and a strategy that trades this ' +
      'difference earns what no exchange would give.',
  ];
}

function endText({ closeAtEnd, fill }: Pick<BacktestConfig, 'closeAtEnd' | 'fill'>): string {
  if (closeAtEnd === 'none') {
    return 'Positions that are open when the data end stay open and are valued at the last price.';
  }
  const where =
    fill.model === 'candles'
      ? `at the ${closeAtEnd} of the last candle, whatever its volume`
      : 'by orders that take the liquidity there is';
  return `Positions that are open when the data end are closed ${where}.`;
}
