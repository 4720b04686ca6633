import { Subject } from 'rxjs';
import type { Booking, Market, OrderCharges, TradingEvent } from '../../src/domain/index.ts';
import { Bus, type Logger, VirtualClock } from '../../src/kernel/index.ts';
import { BalanceLedger, OrderLedger, PositionLedger } from '../../src/ledger/index.ts';
import { makeMarket } from '../domain/fixture.ts';

export interface LedgerOptions {
  readonly markets?: readonly Market[];
  readonly maker?: number;
  readonly taker?: number;
  /** The currency that fees are charged in. Default: the one that a fill brings in. */
  readonly feesIn?: 'received' | 'base' | 'quote';
  /** Charges beyond the rates. Default: none. */
  readonly charges?: OrderCharges;
  readonly scales?: ReadonlyMap<string, number>;
  readonly finalOrdersMax?: number;
  readonly forgottenIdsMax?: number;
  /** Default: a silent one. */
  readonly logger?: Logger;
}

/** All three ledgers on one bus, and every event that they publish. */
export function makeLedgers(options: LedgerOptions = {}) {
  const { maker = 0.002, taker = 0.002, feesIn = 'received', charges, scales } = options;
  const { finalOrdersMax, forgottenIdsMax, logger } = options;
  const clock = new VirtualClock();
  const bus = new Bus<TradingEvent>();
  const events: TradingEvent[] = [];
  bus.record((event) => events.push(event));
  const all = options.markets ?? [makeMarket(), makeMarket({ id: 'eth_usdt', base: 'eth' })];
  const markets = new Map(all.map((market) => [market.id, market]));
  const orders = new OrderLedger({
    ...{ clock, bus, markets, feeRates: { maker, taker, in: feesIn, charges, scales } },
    ...{ finalOrdersMax, forgottenIdsMax },
    ...(logger === undefined ? {} : { logger }),
  });
  const positions = new PositionLedger({ bus, markets, bookings: orders.bookings });
  const balances = new BalanceLedger({ clock, bus });
  return { clock, bus, events, markets, orders, positions, balances };
}

/** A position ledger that is told its fills directly. */
export function makePositions(markets: readonly Market[] = [makeMarket()]) {
  const bus = new Bus<TradingEvent>();
  const bookings = new Subject<Booking>();
  const byId = new Map(markets.map((market) => [market.id, market]));
  return { bus, bookings, positions: new PositionLedger({ bus, markets: byId, bookings }) };
}
