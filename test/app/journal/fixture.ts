import { join } from 'node:path';
import type { Fill, LateFee, Market, Side, TradingEvent } from '../../../src/domain/index.ts';
import { Decimal, HOUR_MS, VirtualClock } from '../../../src/kernel/index.ts';
import { FileJournal } from '../../../src/storage/index.ts';
import { fillEvent, makeFill } from '../../domain/fixture.ts';
import { makeMarket } from '../../report/fixture.ts';
import { START_MS } from '../../storage/events.ts';
import { scratchFolder } from '../fixture.ts';

export const BTC = makeMarket();
export const ETH = makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc', minSize: 0 });

/** Where runs go on with what the ones before them left, and where they do not. */
export const LIVE = { venue: { kind: 'zb' } };
export const EMBEDDED = { venue: { kind: 'simulated' } };

export interface Run {
  readonly events: readonly TradingEvent[];
  /** Default: live. */
  readonly config?: object;
  /** Whether it tells its seed and its markets. Default: true. */
  readonly hasBasis?: boolean;
}

/** When the run of that number begins: an hour behind the one before. */
export const beganMs = (run: number): number => START_MS + (run - 1) * HOUR_MS;

/** Begins the run of that number and writes its events. */
export function openRun(path: string, number: number, run: Run): FileJournal {
  const { events, config = LIVE, hasBasis = true } = run;
  const basis = { seed: `seed${number}`, file: '/x.yaml', config, markets: [BTC, ETH] };
  const clock = new VirtualClock(beganMs(number));
  const journal = new FileJournal({ path, clock, configHash: 'a', ...(hasBasis && { basis }) });
  for (const event of events) journal.append(event);
  journal.commit();
  return journal;
}

export function scratchJournal(): string {
  return join(scratchFolder(), 'test.journal');
}

/** A journal of runs that are over. */
export function journalWith(runs: readonly Run[]): string {
  const path = scratchJournal();
  for (const [at, run] of runs.entries()) openRun(path, at + 1, run).close();
  return path;
}

let orders = 0;

/** A buy of 1 BTC at 100 by `maker` without a fee; the value follows price and amount. */
export function fillOf(
  overrides: Partial<Omit<Fill, 'amount' | 'fee'>> & {
    readonly amount?: number;
    readonly fee?: string;
  } = {},
): Fill {
  const { fee = '0', ...rest } = overrides;
  const count = ++orders;
  const ids = { clientOrderId: `order${count}`, exchangeOrderId: `${count}` };
  const time = START_MS + count;
  return makeFill({ ...ids, time, feeCurrency: 'usdt', ...rest, fee: Decimal.of(fee) });
}

/** The event that the fee of a fill's order is higher by this than was booked. */
export function lateFeeOf(fill: Fill, fee: string): TradingEvent {
  const { amount: _, value: __, ...booked } = fill;
  const lateFee: LateFee = { ...booked, fee: Decimal.of(fee), value: Decimal.of(fee) };
  return { kind: 'lateFee', time: fill.time, market: fill.market, lateFee };
}

/** Fills of one market by one strategy, each `[side, price, amount]`, in a run. */
export function runOf(...steps: readonly (readonly [Side, number, number])[]): Run {
  const fills = steps.map(([side, price, amount]) => fillOf({ side, price, amount }));
  return { events: fills.map(fillEvent) };
}

export function marketOf(id: string): Market {
  return id === BTC.id ? BTC : ETH;
}
