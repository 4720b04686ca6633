import type { Market } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { AccountPushes } from './account-pushes.ts';
import { Accounts } from './accounts.ts';
import { Calls } from './calls.ts';
import { DEFAULT_DEPTH_INTERVAL_MS } from './config.ts';
import { Currencies, type CurrenciesOptions } from './currencies.ts';
import { SimulationError } from './errors.ts';
import type { SimulatedExchangeOptions } from './exchange.ts';
import { DEFAULT_FEE_RATE, FeeRate } from './fee-rate.ts';
import { Bills, type CurrencySettings } from './funds/index.ts';
import { MarginBank } from './margin/index.ts';
import { marketUnits } from './market-units.ts';
import { OrderIds } from './order-ids.ts';
import { Publisher } from './publisher.ts';
import type { EngineFees } from './settlement.ts';
import { SimulatedMarket } from './simulated-market.ts';
import type { TradingFloor } from './trading-floor.ts';

/**
 * Opens the markets of an exchange and what they share. `pushes`: those of each account.
 *
 * @throws {SimulationError} for markets, accounts or fees that cannot be held exactly.
 */
export function openFloor(
  options: SimulatedExchangeOptions,
  pushes: readonly AccountPushes[],
): TradingFloor {
  const { clock } = options;
  const { length: count } = options.accounts;
  const { requestMs = 0, answerMs = 0, pushMs = 0 } = options.latency ?? {};
  const accounts = new Accounts(new Currencies(options.markets, holdingsOf(options)), count);
  const publisher = new Publisher({ clock, accounts, pushes, pushMs });
  const publish = () => publisher.publish();
  const engines = () => Array.from(markets.values(), ({ engine }) => engine);
  const billIds = new OrderIds(clock);
  let ordinal = 0;
  const floor: TradingFloor = {
    clock,
    accounts,
    markets: new Map(),
    calls: new Calls({ clock, latency: { requestMs, answerMs, pushMs }, publish }),
    ids: new OrderIds(clock),
    nextOrdinal: () => ordinal++,
    bills: new Bills({ clock, accounts, ids: billIds, count }),
    margin: new MarginBank({ clock, accounts, markets: engines, settings: options.margin }),
    publisher,
    pushMs,
    readLagMs: options.readLagMs ?? 0,
    timedCancelFired: (account, fired) =>
      options.timedCancelFired?.({ account: options.accounts[account]!.name, ...fired }),
  };
  const markets = openMarkets(options, floor);
  return { ...floor, markets };
}

function openMarkets(
  {
    markets,
    fees,
    orderTook,
    depthIntervalMs = DEFAULT_DEPTH_INTERVAL_MS,
    keepsBars,
  }: SimulatedExchangeOptions,
  floor: TradingFloor,
): Map<string, SimulatedMarket> {
  const { clock, accounts, ids, nextOrdinal, bills, margin, publisher, pushMs } = floor;
  const charged = chargedIn(fees);
  const open = (market: Market): [string, SimulatedMarket] => {
    const units = marketUnits(market, { currencies: accounts.currencies, feesIn: fees?.in });
    const simulated: SimulatedMarket = new SimulatedMarket({
      ...{ clock, units, accounts, ids, nextOrdinal, depthIntervalMs, keepsBars, pushMs },
      fees: charged,
      lender: margin,
      orderFilled: (order, fill) => {
        bills.recordFill(order, { fill, units });
        if (fill.took) orderTook?.(order.exchangeOrderId, order.filledAmount(units));
      },
      orderChanged: (order) => publisher.orderChanged(order, units),
      publish: () => {
        publisher.marketChanged(simulated);
        publisher.publish();
      },
    });
    return [market.id, simulated];
  };
  const opened = new Map(markets.map(open));
  if (opened.size === markets.length) return opened;
  throw new SimulationError('Cannot open the markets: an id occurs twice, each once is wanted');
}

/** @throws {SimulationError} for fees that cannot be charged exactly. */
function chargedIn(fees: SimulatedExchangeOptions['fees']): EngineFees {
  const { maker = DEFAULT_FEE_RATE, taker = DEFAULT_FEE_RATE, in: feesIn, charges } = fees ?? {};
  if (charges !== undefined && feesIn !== 'quote') {
    throw new SimulationError(
      `Cannot charge orders in the quote currency: fees are taken in ${feesIn ?? 'received'}, ` +
        'quote is wanted',
    );
  }
  return { maker: new FeeRate(maker), taker: new FeeRate(taker), charges };
}

/**
 * The currencies that accounts and settings name, how much all accounts hold of each, the decimal
 * places in use, and what coins are worth.
 */
function holdingsOf({
  accounts,
  currencies = {},
  worths,
}: SimulatedExchangeOptions): CurrenciesOptions {
  const held = new Map<string, Decimal>();
  const used = new Map(Object.entries(currencies).map(([name, one]) => [name, placesSet(one)]));
  for (const { balances, marginBalances } of accounts) {
    for (const wallet of [balances, marginBalances?.isolated ?? {}, marginBalances?.cross ?? {}]) {
      for (const [name, text] of Object.entries(wallet)) {
        held.set(name, (held.get(name) ?? Decimal.ZERO).plus(Decimal.of(text)));
        used.set(name, Math.max(used.get(name) ?? 0, placesOf(text)));
      }
    }
  }
  const extra = [...held.keys(), ...Object.keys(currencies)];
  return { held, used, extra, worths };
}

/** The decimal places that the settings of a currency ask for. */
function placesSet({ decimals = 0, chains = [] }: CurrencySettings): number {
  const fees = chains.flatMap(({ withdrawalFee, minWithdrawal }) => [withdrawalFee, minWithdrawal]);
  return Math.max(decimals, ...fees.map(placesOf));
}

/** Decimal places of money, zeros at the end left out. */
function placesOf(text: string): number {
  return Decimal.of(text).toString().split('.')[1]?.length ?? 0;
}
