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
      : 'The timed cancels that guard orders live are left out: no order goes for want of a sign of ' +
        'life, and they take nothing of the request limits.',
    simulate.rateLimits
      ? 'Requests keep to the limits of the exchange: an order may wait for its turn.'
      : 'Requests have no limits: however many there are, none waits for its turn.',
    simulate.reconciliation
      ? `Orders and balances are read again every ${config.executor.reconcileMs / 1_000} s while ` +
        'orders live, as live.'
      : 'Orders and balances are not read again to be compared with what was pushed, and those ' +
        'requests take nothing of the request limits.',
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
      : 'How often market data are asked for live is not modelled: every row is heard.';
  }
  const paces = { depth: data.depthPollMs, trades: data.tradesPollMs, candles: data.candlesPollMs };
  const pace = (kind: HeardKind): string => `${kind} every ${paces[kind] / 1_000} s`;
  return (
    `Market data are asked for at the pace of live, ${polled.map(pace).join(', ')}, from a moment ` +
    'on that is drawn: what changed in between is seen as it stands then. A request is there at ' +
    'once, and trades come with one answer, however many pages of them there are.'
  );
}

function outagesText({ outages: settings }: Simulate, outages: readonly Span[]): string {
  if (settings === undefined) {
    return 'Outages of the exchange or of the line are left out: every request is answered.';
  }
  const seconds = outages.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1_000;
  const arriving = Decimal.of(settings.arriving).times(HUNDRED);
  const times = outages.length === 1 ? 'once' : `${outages.length} times`;
  return (
    `The line to the exchange is cut ${times}, for ${seconds} s in all: nothing is heard meanwhile, ` +
    `no request is answered, ${arriving} % of them arrive, and the exchange goes on. ` +
    'Connections stand again at once when it is over, and no request arrives later than that.'
  );
}

function feesText({ fees }: Pick<BacktestConfig, 'fees'>): string {
  return fees.in === 'received'
    ? 'Fees are taken out of what a trade brings in, as the exchange does: of a buy in the base ' +
        'currency, of a sale in the quote currency.'
    : `All fees are taken in the ${fees.in} currency, beside the trade where it does not bring that ` +
        'in; the exchange takes them out of what a trade brings in.';
}

/** What the account was lent, to trade what it does not own. */
function lentText({ lent }: Pick<BacktestConfig, 'lent'>): string[] {
  const sums = Object.entries(lent).map(([currency, amount]) => `${amount} ${currency}`);
  if (sums.length === 0) return [];
  return [
    `The account is lent ${sums.join(' and ')} from beginning to end, to sell or to pay with: that ` +
      'costs nothing, counts in no figure, and nobody calls it back when prices turn.',
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
    `No order in ${unlimited.join(' and ')} is too small but for the scale of its amount: the least ` +
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
    `The account is valued in ${currency}, by the prices of markets: ${worths.join(', ')}.`,
    `What is traded in ${foreign.join(', ')} earns and costs another currency, that of trades.csv. ` +
      `Figures convert it to ${currency} by the prices of that moment: fills as they are learnt of, ` +
      'orders as they are made, trades as they end.',
  ];
}

/** Warns of made-up prices that disagree where several markets tell a currency's worth. */
function madeUpText({ backtest, config }: BacktestDeployment): string[] {
  const pairs = config.markets.map(currenciesOf);
  const currencies = new Set(pairs.flatMap(({ base, quote }) => [base, quote]));
  const made = Object.keys(backtest.generate);
  if (made.length === 0 || config.markets.length < currencies.size) return [];
  return [
    `The prices of ${made.join(', ')} are made up, and know nothing of those of other markets: what ` +
      'a currency is worth differs from market to market, and who trades that earns what no ' +
      'exchange gives.',
  ];
}

function endText({ closeAtEnd, fill }: Pick<BacktestConfig, 'closeAtEnd' | 'fill'>): string {
  if (closeAtEnd === 'none') {
    return 'What strategies hold when the data end stays open, and is worth the last price.';
  }
  const where =
    fill.model === 'candles'
      ? `at the ${closeAtEnd} of the last candle, whatever its volume`
      : 'by orders that take what they meet then';
  return `What strategies hold when the data end is sold, or bought back, ${where}.`;
}
