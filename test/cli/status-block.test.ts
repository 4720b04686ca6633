import { describe, expect, it } from 'vitest';
import type { MarketStatus, Status } from '../../src/app/index.ts';
import { statusBlock } from '../../src/cli/status-block.ts';
import { plain, widthOf } from '../../src/cli/style.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { flatPosition } from '../../src/ledger/index.ts';
import { makeMarket, makeOpen } from '../domain/fixture.ts';
import {
  earnings,
  HEADING,
  heartbeatState,
  marketStatus,
  NOW_MS,
  status,
  strategyStatus,
} from './status-fixture.ts';

function block(overrides: Partial<Status> = {}): string[] {
  return statusBlock(HEADING, { status: status(overrides), paint: plain });
}

describe('statusBlock', () => {
  it('tells all in aligned columns', () => {
    expect(block().join('\n')).toBe(`
tradewind demo  00:12 of 00:30  an exchange
  state       ACTIVE
  strategies  maker running

btc_usdt      bid 59,979.03           ask 60,009.03
  position    +0.0042 btc             profit +0.45 usdt       heartbeat 7 s ago
  our bids    -
  our asks    -

  orders      32 sent                 1 fill                  23 cancelled
  safety      1 heartbeat             0 lapses                0 refusals
  requests    3/60 a second           1,059/10,000 a minute   0 data gaps`);
  });
});

describe('statusBlock, of what was earned,', () => {
  it('tells this run apart from all runs where earlier ones have traded there', () => {
    const market = marketStatus({ hasPast: true, profit: Decimal.of('-6.09') });
    const lines = block({ markets: [{ ...market, runProfit: Decimal.ZERO }] });
    expect(lines.slice(6, 8)).toEqual([
      '  position    +0.0042 btc             opened at 59,900.10     heartbeat 7 s ago',
      '  profit      0.00 usdt this run      -6.09 usdt all runs',
    ]);
    const flat = marketStatus({ hasPast: true, entryPrice: undefined });
    expect(block({ markets: [flat] })[6]).toContain('opened at -');
  });

  it('tells strategies apart where a market has several, those that are over in brief', () => {
    const position = { ...flatPosition('btc_usdt'), amount: Decimal.of('0.0042') };
    const held = { position, entryPrice: Decimal.of('59900.1'), runFees: Decimal.of('0.1') };
    const ofStrategies = [
      earnings('btc-maker'),
      earnings('strategies/a-long-name.ts', { ...held, profit: Decimal.of(2) }),
      earnings('gone', { isTrading: false, profit: Decimal.of(-6) }),
      earnings('older', { isTrading: false, profit: Decimal.of('-0.09') }),
    ];
    const lines = block({ markets: [marketStatus({ hasPast: true, ofStrategies })] });
    expect(lines.slice(8, 12)).toEqual([
      '  strategy              position      entry  this run  all runs  fees',
      '  btc-maker               0.0000          -      0.00      0.00  0.00',
      '  strategies/a-long-n…   +0.0042  59,900.10      0.00     +2.00  0.10',
      '  2 that are over         0.0000          -      0.00     -6.09  0.00',
    ]);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
    const first = block({ markets: [marketStatus({ ofStrategies: ofStrategies.slice(0, 2) })] });
    expect(first[7]).toBe('  strategy              position      entry  profit  fees');
  });

  it('tells what is held to the last digit, as the summary does', () => {
    const position = { ...flatPosition('btc_usdt'), amount: Decimal.of('-0.0041958') };
    const ofStrategies = [earnings('maker', { position }), earnings('taker')];
    const lines = block({ markets: [marketStatus({ position, ofStrategies })] });
    expect(lines[6]).toContain('position    -0.0041958 btc');
    expect(lines.slice(8, 10)).toEqual([
      '  maker     -0.0041958      -    0.00  0.00',
      '  taker      0.0000000      -    0.00  0.00',
    ]);
  });

  it('names one that is over alone, and no sum where there is no price yet', () => {
    const unpriced = { isTrading: false, profit: undefined, runProfit: undefined };
    const tableOf = (...names: string[]) => {
      const ofStrategies = names.map((name) => earnings(name, unpriced));
      const all = [earnings('maker'), ...ofStrategies];
      return block({ markets: [marketStatus({ ofStrategies: all })] }).slice(7, 10);
    };
    expect(tableOf('gone').at(-1)).toMatch(/^ {2}gone +0\.0000 +- +- +0\.00$/);
    expect(tableOf('gone', 'older').at(-1)).toMatch(/^ {2}2 that are over +0\.0000 +- +- +0\.00$/);
  });
});

describe('statusBlock, in colours,', () => {
  const marked = (overrides: Partial<Status>): string =>
    statusBlock(HEADING, {
      status: status(overrides),
      paint: (accent, text) => `<${accent} ${text}>`,
    }).join('\n');

  it('marks what should be zero and is not', () => {
    const refusals = new Map([
      ['position', { wishes: 3, tries: 9 }],
      ['collar', { wishes: 2, tries: 2 }],
    ]);
    const text = marked({ tally: { ...status().tally, lapses: 2, refusals } });
    expect(text).toMatch(/<bad 2 lapses> +<warning 5 refusals>/);
    expect(text).toMatch(/[^ ] +0 data gaps$/);
  });

  it.each([
    ['-1', /profit <bad -1\.0+> usdt/],
    ['0', /profit 0\.0+ usdt/],
    ['1', /profit <good \+1\.0+> usdt/],
  ])('marks a profit of %s by its sign', (profit, marks) => {
    expect(marked({ markets: [marketStatus({ runProfit: Decimal.of(profit) })] })).toMatch(marks);
  });
});

describe('statusBlock, whatever happens,', () => {
  it('names what cannot be read, and what was refused by which setting, ahead of all else', () => {
    const tally = {
      ...status().tally,
      refusals: new Map([
        ['position', { wishes: 3, tries: 1_204 }],
        ['staleData', { wishes: 1_200, tries: 1_200 }],
      ]),
    };
    const limits = new Map([['position', 'risk.positionValueMax']]);
    const sinceMs = Date.UTC(2024, 0, 1, 18, 2, 3);
    const reason = 'the exchange answered 2005 "Error Market"';
    const unreadable = [{ what: 'orders of btc_usdt', sinceMs, reason }];
    const lines = block({ tally, limits, unreadable });
    const calm = block({ tally });
    expect(lines.toSpliced(3, 3)).toEqual(calm.toSpliced(3, 2));
    expect(lines[2]).toBe('  state       ACTIVE');
    expect(lines.slice(3, 6)).toEqual([
      `  unreadable  orders of btc_usdt: ${reason}, since 18:02:03 UTC`,
      '  refused     position 3 wishes, 1,204 tries (risk.positionValueMax)',
      '  refused     staleData 1,200',
    ]);
  });

  it('has the same height whatever happens', () => {
    const order = makeOpen();
    const height = block().length;
    const unpriced = { bid: undefined, profit: undefined, runProfit: undefined };
    const market = marketStatus({ bids: [order, order, order], ...unpriced });
    expect(block({ markets: [market] })).toHaveLength(height);
    const failed = strategyStatus({ status: 'failed', reason: 'boom' });
    const trading = { state: 'HALTED', reason: 'lost too much' } as const;
    expect(block({ strategies: [failed], trading })).toHaveLength(height);
  });

  it('shows the best quotes and how many more there are', () => {
    const bids = [100, 99, 98, 97].map((price) => ({ ...makeOpen(), price }) as never);
    const line = block({ markets: [marketStatus({ bids })] }).find((one) =>
      one.includes('our bids'),
    );
    expect(line).toMatch(/1\.0000 @ 100\.00 +1\.0000 @ 99\.00 +\+2$/);
  });

  it('accents a few things without moving any', () => {
    const painted = statusBlock(HEADING, {
      status: status({ markets: [marketStatus({ profit: Decimal.of(-3) })] }),
      paint: (accent, text) => `\u001b[1m${text}\u001b[0m${accent === 'bad' ? '' : ''}`,
    });
    const widths = block({ markets: [marketStatus({ profit: Decimal.of(-3) })] }).map(widthOf);
    expect(painted.map(widthOf)).toEqual(widths);
  });

  it('has a line each for markets without more room, with the orders of both sides', () => {
    const orders = [makeOpen() as MarketStatus['bids'][number]];
    const markets = Array.from({ length: 9 }, () => marketStatus({ bids: orders, asks: orders }));
    const size = { columns: 80, rows: 23 };
    const lines = statusBlock(HEADING, { status: status({ markets }), paint: plain, size });
    const brief = 'btc_usdt      +0.0042 btc             profit +0.45 usdt       2 orders';
    expect(lines.filter((line) => line === brief).length).toBeGreaterThan(1);
    expect(lines).toHaveLength(23);
  });

  it('fits 80 columns', () => {
    for (const line of block()) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('statusBlock, of an exchange that does not answer,', () => {
  const order = { ...makeOpen(), side: 'buy' } as MarketStatus['bids'][number];
  const lost = { ...order, status: 'unknown', reason: 'lapse', unknownSince: NOW_MS } as const;
  const confirmedMs = NOW_MS - 30_000;
  const silent = { confirmedMs, isUnanswered: true };
  /** The lines between the state and the strategies. */
  const troubles = (market: Partial<MarketStatus>) =>
    block({ markets: [marketStatus({ bids: [order, order], ...market })] }).slice(3, -10);

  it('says how many orders rest, out of reach, and when the exchange cancels them by itself', () => {
    expect(troubles({ heartbeat: heartbeatState(silent), fresh: false })).toEqual([
      '  resting     2 orders of btc_usdt, which cannot be seen or changed now',
      '              the exchange cancels them at 18:02:33 UTC if it hears nothing',
    ]);
    const alone = { heartbeat: heartbeatState(silent), bids: [order] };
    expect(troubles(alone)[0]).toBe(
      '  resting     1 order of btc_usdt, whose heartbeat is not confirmed',
    );
    const never = { ...silent, confirmedMs: undefined };
    expect(troubles({ heartbeat: heartbeatState(never) })[1]).toContain('them is not known');
    expect(troubles({ heartbeat: heartbeatState(silent), bids: [] })).toEqual([]);
    expect(troubles({})).toEqual([]);
  });

  it('says that an order cannot be seen either where one thing there is not to be read', () => {
    const markets = [marketStatus({ bids: [lost], heartbeat: heartbeatState(silent) })];
    const unreadable = [{ what: 'btc_usdt', sinceMs: NOW_MS, reason: 'busy' }];
    expect(block({ markets, unreadable }).slice(3, 7)).toEqual([
      '  unreadable  btc_usdt: busy, since 18:02:03 UTC',
      '  resting     1 order of btc_usdt, which cannot be seen or changed now',
      '              the exchange cancels them at 18:02:33 UTC if it hears nothing',
      '  unknown     1 order, the exchange is asked what became of them',
    ]);
  });

  it('says that they should be gone by then, and how many are unknown', () => {
    const heartbeat = heartbeatState({
      ...{ confirmedMs: NOW_MS - 67_000, lapsedMs: NOW_MS - 12_000, isUnanswered: true },
    });
    const lines = troubles({ heartbeat, fresh: false, bids: [lost, lost], asks: [lost] });
    expect(lines).toEqual([
      '  resting     3 orders of btc_usdt, which cannot be seen or changed now',
      '              the exchange should have cancelled them at 18:01:56 UTC',
      '  unknown     3 orders, the exchange is asked what became of them',
    ]);
  });

  it.each([
    ['none', {}, [order]],
    ['30 s ago', { confirmedMs }, [order]],
    ['lapsed 12 s ago', { confirmedMs, lapsedMs: NOW_MS - 12_000 }, [order]],
    ['lapsed 02:05 ago', { confirmedMs, lapsedMs: NOW_MS - 125_000 }, [order]],
    ['idle', { confirmedMs, lapsedMs: NOW_MS - 125_000 }, []],
  ])('tells that the heartbeat is %s', (text, overrides, bids) => {
    const market = marketStatus({ heartbeat: heartbeatState(overrides), bids });
    const line = block({ markets: [market] }).find((one) => one.startsWith('  position'));
    expect(line).toMatch(new RegExp(` heartbeat ${text}$`));
  });
});

describe('statusBlock, of a blackout,', () => {
  it('names the markets in it, and until when', () => {
    const market = (id: string, blackoutUntil: string | undefined) =>
      marketStatus({ market: { ...makeMarket(), id }, blackoutUntil });
    const markets = [
      market('btc_usdt', '14:30 UTC'),
      market('eth_usdt', undefined),
      market('ltc_usdt', '14:30 UTC'),
      market('xrp_usdt', '15:00 UTC'),
    ];
    expect(block({ markets }).slice(3, 5)).toEqual([
      '  blackout    until 14:30 UTC in btc_usdt, ltc_usdt',
      '  blackout    until 15:00 UTC in xrp_usdt',
    ]);
  });
});

describe('statusBlock, of how it goes,', () => {
  it('says why trading was halted and which strategy failed', () => {
    const failed = strategyStatus({ status: 'failed', reason: 'boom' });
    const text = block({
      trading: { state: 'HALTED', reason: 'lost too much' },
      strategies: [failed, strategyStatus({ name: 'other' })],
    }).join('\n');
    expect(text).toContain('state       HALTED lost too much');
    expect(text).toContain('strategies  maker failed: boom');
  });

  it.each([
    ['ACTIVE', ['started', 'stopped'], false],
    ['STARTING', ['waiting', 'waiting'], false],
    ['STOPPING', ['stopped', 'failed'], false],
    ['STOPPED', ['stopped', 'failed'], true],
    ['STOPPED', ['waiting', 'waiting'], true],
  ] as const)('is %s where its strategies are %j, over: %s', (state, ways, isOver) => {
    const strategies = ways.map((way) => strategyStatus({ status: way }));
    const shown = (trading: Status['trading']) =>
      statusBlock(
        { ...HEADING, isOver },
        { status: status({ strategies, trading }), paint: plain },
      );
    expect(shown(status().trading)[2]).toBe(`  state       ${state}`);
    const halted = shown({ state: 'HALTED', reason: 'lost too much' })[2]!;
    expect(halted).toContain('HALTED lost too much');
    expect(halted.includes(state)).toBe(state.startsWith('STOP'));
  });

  it('is STOPPING from when its stop has begun, though its strategies still run', () => {
    const heading = { ...HEADING, isStopping: true };
    const lines = statusBlock(heading, { status: status(), paint: plain });
    expect(lines[2]).toBe('  state       STOPPING');
  });

  it('shows what is not seen of what a strategy threw, in one line', () => {
    const failed = strategyStatus({ name: 'a\tb', status: 'failed', reason: 'no\n\u001b[2Jmore' });
    const trading = { state: 'HALTED', reason: 'so\rsaid' } as const;
    const lines = block({ strategies: [failed, strategyStatus()], trading });
    expect(lines).toContain('  strategies  a\\u{9}b failed: no\\u{a}\\u{1b}[2Jmore');
    expect(lines).toContain('  state       HALTED so\\u{d}said');
  });

  it('names the time that it was given, however long its end takes', () => {
    const late = { ...HEADING, runningMs: 58_000, durationMs: 40_000 };
    const titleOf = (heading: typeof late) =>
      statusBlock(heading, { status: status(), paint: plain })[1];
    expect(titleOf(late)).toContain('00:58 of 00:40 ');
  });

  it('says of a strategy that never wished how much it has seen', () => {
    const silent = strategyStatus({ wishes: 0, books: 12 });
    const text = block({ strategies: [silent] }).join('\n');
    expect(text).toContain('strategies  maker running, no wish yet (12 books seen)');
    const both = strategyStatus({ wishes: 0, books: 0, candles: 1 });
    expect(block({ strategies: [both] }).join('\n')).toContain('no wish yet (1 candle seen)');
    const over = strategyStatus({ ...silent, status: 'ended', reason: 'done' });
    expect(block({ strategies: [over] }).join('\n')).toContain('strategies  maker ended: done\n');
  });

  it.each([
    [8, '0.00001234', '+0.00001234'],
    [2, '0.451', '+0.45'],
    [0, '-3', '-3.00'],
  ])('shows a profit as finely as prices of %i places', (priceScale, profit, text) => {
    const market = { ...makeMarket(), priceScale };
    const lines = block({ markets: [marketStatus({ market, profit: Decimal.of(profit) })] });
    expect(lines.join('\n')).toContain(`profit ${text} ${market.quote}`);
  });
});

describe('statusBlock, of what fails,', () => {
  it('says that data is stale, though the book is empty, and not before there was any', () => {
    const shown = (market: Partial<MarketStatus>) => block({ markets: [marketStatus(market)] });
    expect(shown({ fresh: false, dataAgeMs: 9 }).join()).toContain('STALE');
    expect(shown({ fresh: false, dataAgeMs: 9, bid: undefined }).join()).toContain('STALE');
    expect(shown({ fresh: false, dataAgeMs: undefined }).join()).not.toContain('STALE');
    expect(shown({ fresh: true }).join()).not.toContain('STALE');
  });

  it('says that it is blind where no market has data any more, and for how long', () => {
    const stale = (dataAgeMs: number | undefined) => marketStatus({ fresh: false, dataAgeMs });
    const state = (...markets: MarketStatus[]) => block({ markets })[2];
    expect(state(stale(75_400), stale(90_000))).toBe(
      '  state       ACTIVE, blind: no data for 75 s',
    );
    expect(state(stale(75_400))).toBe('  state       ACTIVE, blind: no data for 75 s');
    expect(state(stale(75_400), marketStatus())).toBe('  state       ACTIVE');
    expect(state()).toBe('  state       ACTIVE');
    expect(state(stale(undefined))).toBe('  state       ACTIVE');
    const lines = block({
      markets: [stale(75_400)],
      trading: { state: 'HALTED', reason: 'lost too much' },
    });
    expect(lines[2]).toBe('  state       HALTED lost too much');
  });

  it('says how many orders were rejected, and why while that is news', () => {
    const tally = { ...status().tally, rejected: 11 };
    const timeMs = Date.UTC(2024, 0, 1, 18, 2, 3);
    const reason = 'the exchange answered 2009 "insufficient\u202e"';
    const lines = block({ tally, rejected: { reason, timeMs } });
    expect(lines[3]).toBe(
      '  rejected    11, last: the exchange answered 2009 "insufficient\\u{202e}", at 18:02:03 UTC',
    );
    const later = block({ tally }).join('\n');
    expect(later).toContain('orders      32 sent, 11 rejected    1 fill ');
    expect(later).not.toContain('last:');
  });
});
