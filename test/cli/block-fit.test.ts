import { describe, expect, it } from 'vitest';
import type { MarketStatus, Status } from '../../src/app/index.ts';
import { statusBlock } from '../../src/cli/status-block.ts';
import { plain, widthOf } from '../../src/cli/style.ts';
import { flatPosition } from '../../src/ledger/index.ts';
import { makeMarket, makeOpen } from '../domain/fixture.ts';
import {
  HEADING,
  heartbeatState,
  marketStatus,
  NOW_MS,
  status,
  strategyStatus,
} from './status-fixture.ts';

/** A market in which nothing is held. */
function idle(id: string, overrides: Partial<MarketStatus> = {}): MarketStatus {
  const market = { ...makeMarket(), id };
  return marketStatus({ market, position: flatPosition(id), ...overrides });
}

const tenMarkets = (others: Readonly<Record<number, MarketStatus>> = {}): MarketStatus[] =>
  Array.from({ length: 10 }, (_, at) => others[at] ?? idle(`m${at}_usdt`));

function block(columns: number, rows: number, overrides: Partial<Status> = {}): string[] {
  const size = { columns, rows };
  return statusBlock(HEADING, { status: status(overrides), paint: plain, size });
}

/** The markets of a block, in its order. */
const marketsOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /^(\S+_usdt) /.exec(line)?.[1] ?? []);

describe('statusBlock, on a low terminal,', () => {
  it('keeps the totals, and counts the markets that gave way', () => {
    const lines = block(80, 23, { markets: tenMarkets() });
    expect(lines).toHaveLength(19);
    expect(marketsOf(lines)).toHaveLength(10);
    expect(lines[5]).toBe('m0_usdt       0.0000 btc              profit +0.45 usdt       0 orders');
    expect(lines.slice(2, 4).join('\n')).toMatch(/state +ACTIVE\n {2}strategies +maker running/);
    expect(lines.slice(-3).map((line) => line.slice(2, 10))).toEqual([
      ...['orders  ', 'safety  ', 'requests'],
    ]);
  });

  it('counts the markets that have no line either', () => {
    const lines = block(80, 15, { markets: tenMarkets() });
    expect(lines).toHaveLength(15);
    expect(marketsOf(lines)).toEqual(['m0_usdt', 'm1_usdt', 'm2_usdt', 'm3_usdt', 'm4_usdt']);
    expect(lines.at(-5)).toBe('  … 5 more markets, all idle');
  });

  it('has one line for a market that gives way, which says whether it is stale', () => {
    const stale = idle('m5_usdt', { fresh: false, dataAgeMs: 9 });
    const lines = block(60, 18, { markets: Array.from({ length: 10 }, () => stale) });
    expect(lines).toContain('m5_usdt       STALE                   0.0000 btc');
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
  });

  it('shows in full as many as leave a line to all others', () => {
    const lines = block(80, 23, { markets: tenMarkets().slice(0, 4) });
    expect(lines.join('\n').match(/our bids/g)).toHaveLength(2);
    expect(marketsOf(lines)).toHaveLength(4);
  });

  it('shows trouble first, then where something is held or rests', () => {
    const lapsed = heartbeatState({ confirmedMs: NOW_MS - 9e4, lapsedMs: NOW_MS - 3e4 });
    const bids = [{ ...makeOpen(), side: 'buy' }] as unknown as MarketStatus['bids'];
    const markets = tenMarkets({
      3: marketStatus({ market: { ...makeMarket(), id: 'held_usdt' } }),
      5: idle('quoted_usdt', { bids }),
      7: idle('stale_usdt', { fresh: false, dataAgeMs: 9 }),
      8: idle('lapsed_usdt', { bids, heartbeat: lapsed }),
    });
    const unreadable = [{ what: 'orders of m9_usdt', sinceMs: NOW_MS, reason: 'none' }];
    const order = ['stale_usdt', 'lapsed_usdt', 'm9_usdt', 'held_usdt', 'quoted_usdt', 'm0_usdt'];
    expect(marketsOf(block(80, 42, { markets, unreadable })).slice(0, 6)).toEqual(order);
    const low = block(80, 23, { markets, unreadable });
    expect(marketsOf(low)).toEqual(order.slice(0, 2));
    expect(low.at(-5)).toBe('  … 8 more markets, 3 not idle');
    const all = block(80, 80, { markets, unreadable });
    expect(marketsOf(all)).toEqual(markets.map(({ market }) => market.id));
    expect(all.join('\n')).not.toContain('more market');
  });

  it('cuts troubles and strategies where these alone are too high', () => {
    const strategies = Array.from({ length: 30 }, (_, at) => strategyStatus({ name: `s${at}` }));
    const unreadable = Array.from({ length: 30 }, (_, at) => ({
      ...{ what: `orders of m${at}_usdt`, sinceMs: NOW_MS, reason: 'none' },
    }));
    const few = block(80, 23, { unreadable });
    expect(few).toHaveLength(23);
    expect(few.join('\n')).toMatch(/ {2}… \d+ more lines of troubles\n {2}strategies +maker/);
    const many = block(80, 23, { unreadable, strategies });
    expect(many).toHaveLength(23);
    expect(many.join('\n')).toMatch(/ {2}… \d+ more lines of strategies\n {2}… 1 more market,/);
    for (const lines of [few, many]) expect(lines.join('\n')).toMatch(/safety +1 heartbeat /);
  });

  it.each([3, 5, 8])('keeps safety in %i rows', (rows) => {
    const lines = block(80, rows, { markets: tenMarkets() });
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines.join('\n')).toMatch(/safety +1 heartbeat +0 lapses +0 refusals/);
  });
});

describe('statusBlock, on a narrow terminal,', () => {
  it('stacks what it has no room for beside', () => {
    expect(block(60, 40).join('\n')).toBe(`
tradewind demo  00:12 of 00:30  an exchange
  state       ACTIVE
  strategies  maker running

btc_usdt      bid 59,979.03           ask 60,009.03
  position    +0.0042 btc             profit +0.45 usdt
              heartbeat 7 s ago
  our bids    -
  our asks    -

  orders      32 sent                 1 fill
              23 cancelled
  safety      1 heartbeat             0 lapses
              0 refusals
  requests    3/60 a second           1,059/10,000 a minute
              0 data gaps`);
    expect(block(40, 40).slice(-9).join('\n')).toBe(`\
  orders      32 sent
              1 fill
              23 cancelled
  safety      1 heartbeat
              0 lapses
              0 refusals
  requests    3/60 a second
              1,059/10,000 a minute
              0 data gaps`);
  });

  it('loses no word and no row of the totals from 40 to 200 columns', () => {
    const trading = { state: 'HALTED', reason: 'a loss of 5 % of all, which is the most' } as const;
    const markets = tenMarkets();
    const wordsOf = (lines: readonly string[]) => lines.join(' ').split(/ +/).toSorted();
    const whole = wordsOf(block(Infinity, Infinity, { trading, markets }));
    for (let columns = 40; columns <= 200; columns++) {
      const lines = block(columns, 23, { trading, markets });
      expect(lines.length).toBeLessThanOrEqual(23);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
      expect(lines.join(' ')).toMatch(/safety +1 heartbeat +0 lapses +0 refusals/);
      expect(wordsOf(block(columns, Infinity, { trading, markets }))).toEqual(whole);
    }
  });

  it('parts a long name of a market from its prices', () => {
    const markets = [idle('a-very-long-name_usdt')];
    expect(block(80, 40, { markets }).join('\n')).toContain('a-very-long-name_usdt  bid 59,979.03');
  });
});
