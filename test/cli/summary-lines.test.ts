import { describe, expect, it } from 'vitest';
import { runDeployment } from '../../src/app/run-deployment.ts';
import type { Summary } from '../../src/app/status/summary.ts';
import { summaryLines } from '../../src/cli/summary-lines.ts';
import type { LiveOrder } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { virtualRun } from '../app/fixture.ts';
import { makeOpen, makePending } from '../domain/fixture.ts';

const RUN = await runDeployment(virtualRun({ file: 'config/demo.yaml' }));
const { embedded, status } = RUN;
const JOURNAL = { path: 'a.journal', hash: 'b' };

/** What is said of that run, had it come to this instead. */
function summaryOf(overrides: Partial<Summary> = {}): string {
  return summaryLines({ ...RUN, ...overrides }).join('\n');
}

/** A stop that cannot tell whether these orders are gone. */
function leaving(...remaining: readonly LiveOrder[]): Summary['stop'] {
  const counts = { cancelled: 1, filled: 0, rejected: 0, of: 2, foreign: 0 };
  return { ...counts, verified: false, remaining };
}

/** What is said at a venue that outlasts a run which left these orders. */
const left = (...remaining: readonly LiveOrder[]): string =>
  summaryOf({ stop: leaving(...remaining), journal: JOURNAL, embedded: undefined });

describe('summaryLines', () => {
  it('tells what a run came to', () => {
    const text = summaryOf();
    for (const label of ['stopped', 'btc_usdt', 'quotes', 'fills', 'heartbeats', 'refusals']) {
      expect(text).toMatch(new RegExp(`^  ${label} +\\S`, 'm'));
    }
    expect(text).toMatch(/^ {2}exchange +0 orders left on it$/m);
    expect(text).toMatch(/^ {2}hash +[0-9a-f]{64}$/m);
  });

  it('counts one order as one', () => {
    const tally = { ...status.tally, orders: 1, rejected: 0, rejections: new Map() };
    expect(summaryOf({ status: { ...status, tally } })).toMatch(
      /^ {2}quotes +1 order sent, 0 rejected$/m,
    );
  });

  it('names what most orders were rejected for', () => {
    const rejectedFor = (...kinds: [count: number, reason: string][]): string => {
      const rejections = new Map(
        kinds.map(([count, reason], at) => [`${at}`, { count, reason, newestMs: 0 }]),
      );
      const rejected = kinds.reduce((sum, [count]) => sum + count, 0);
      const tally = { ...status.tally, orders: 1_023, rejected, rejections };
      return summaryOf({ status: { ...status, tally } });
    };
    expect(rejectedFor([11, 'code 2009'])).toMatch(
      /^ {2}quotes +1,023 orders sent, 11 rejected: code 2009$/m,
    );
    expect(rejectedFor([3, 'code 1001'], [8, 'code 2009'])).toMatch(
      /^ {2}quotes +1,023 orders sent, 11 rejected, 8 of them: code 2009$/m,
    );
  });

  it('says of a strategy that never wished how much it has seen', () => {
    expect(summaryOf()).not.toContain('no wish yet');
    const [strategy] = status.strategies;
    expect(strategy!.wishes).toBeGreaterThan(0);
    expect(strategy!.books).toBeGreaterThan(strategy!.wishes);
    const strategies = [{ ...strategy!, name: 'maker', wishes: 0, books: 1, candles: 2 }];
    expect(summaryOf({ status: { ...status, strategies } })).toMatch(
      /^ {2}strategy +maker: no wish yet \(1 book and 2 candles seen\)$/m,
    );
  });

  it('says what ends a halt, but not of an exchange that ends with the run', () => {
    const halted = { ...status, trading: { state: 'HALTED', reason: 'lost too much' } as const };
    const remedy = /^ {2}trading +HALTED: lost too much\n +it stays so until a run with --resume$/m;
    expect(summaryOf({ status: halted, embedded: undefined })).toMatch(remedy);
    expect(summaryOf({ status: halted, embedded })).not.toContain('--resume');
    expect(summaryOf({ embedded: undefined })).not.toContain('--resume');
  });
});

describe('summaryLines of strategies that are over', () => {
  it('says which and why, and nothing of one that its run ended', () => {
    const [strategy] = status.strategies;
    const strategies = (['failed', 'ended', 'stopped'] as const).map((how) => {
      return { ...strategy!, name: `a ${how} one`, status: how, reason: 'boom', wishes: 0 };
    });
    const text = summaryOf({ status: { ...status, strategies } });
    expect(text.match(/^ {2}strategy +.*/gm)?.map((line) => line.trim())).toEqual([
      expect.stringMatching(/a failed one failed: boom$/),
      expect.stringMatching(/a ended one ended: boom$/),
    ]);
  });
});

describe('summaryLines of a run whose journal failed', () => {
  it('promises nothing of a halt that the journal may not hold', () => {
    const halted = { ...status, trading: { state: 'HALTED', reason: 'disk full' } as const };
    const journal = { path: 'a.journal', hash: undefined };
    const text = summaryOf({ status: halted, embedded: undefined, journal });
    expect(text).toMatch(
      /^ {2}trading +HALTED: disk full\n +the next run may trade again: the journal failed and may not hold this$/m,
    );
    expect(text).not.toContain('--resume');
  });

  it('names what was refused with the settings that say so, and what cannot be read', () => {
    const tally = {
      ...status.tally,
      refusals: new Map([
        ['position', { wishes: 3, tries: 1_204 }],
        ['staleData', { wishes: 1, tries: 1 }],
      ]),
    };
    const limits = new Map([['position', 'risk.positionValueMax']]);
    const unreadable = [{ what: 'orders of btc_usdt', sinceMs: 0, reason: 'no answer' }];
    expect(summaryOf({ status: { ...status, tally, limits, unreadable } })).toMatch(
      /^ {2}refusals +position 3 wishes, 1,204 tries \(risk\.positionValueMax\)\n +staleData 1\n {2}unreadable +orders of btc_usdt: no answer, since 00:00:00 UTC$/m,
    );
    const none = { ...status.tally, refusals: new Map() };
    expect(summaryOf({ status: { ...status, tally: none } })).toMatch(/^ {2}refusals +none$/m);
  });

  it('tells how many requests ended without a clear answer, where any did', () => {
    const summaryWith = (counts: object) =>
      summaryOf({ status: { ...status, tally: { ...status.tally, ...counts } } });
    expect(summaryWith({ requests: 1_204, requestFailures: 3 })).toMatch(
      /^ {2}requests +3 of 1,204 requests without a clear answer$/m,
    );
    expect(summaryWith({ requestFailures: 0 })).not.toMatch(/^ {2}requests/m);
  });

  it('tells beside the gaps how often data became stale, where any did', () => {
    const dataOf = (counts: object): string | undefined =>
      summaryOf({ status: { ...status, tally: { ...status.tally, ...counts } } }).match(
        /^ {2}data +(.*)$/m,
      )?.[1];
    expect(dataOf({ gaps: 0, stale: 0 })).toBe('0 gaps');
    expect(dataOf({ gaps: 0, stale: 1 })).toBe('0 gaps, stale once');
    expect(dataOf({ gaps: 1, stale: 3 })).toBe('1 gap, stale 3 times');
  });

  it('says why a profit is unknown', () => {
    const markets = status.markets.map((market) => ({ ...market, profit: undefined }));
    const text = summaryOf({ status: { ...status, markets } });
    expect(text).toMatch(/btc, profit unknown \(no price yet\)$/m);
  });

  it('names what is held for a strategy that is not there', () => {
    const unowned = [{ strategy: 'swing', amount: Decimal.of('-0.05') }];
    const markets = status.markets.map((market) => ({ ...market, unowned }));
    expect(summaryOf()).not.toContain('nobody closes it');
    expect(summaryOf({ status: { ...status, markets } })).toMatch(
      /^ {2}btc_usdt .*\n +swing holds -0.05 btc of the position and does not trade there: nobody closes it$/m,
    );
  });

  it('tells of a journal that failed', () => {
    expect(summaryOf({ journal: { path: 'a', hash: undefined } })).toContain(
      'none: the journal failed',
    );
  });
});

describe('summaryLines of a stop that could not verify', () => {
  it('names every order that may still rest', () => {
    const counts = { cancelled: 1, filled: 1, rejected: 2, of: 5, foreign: 2 };
    const text = summaryOf({ stop: { ...leaving(makeOpen(), makePending()), ...counts } });
    expect(text).toContain('1 of 5 open orders cancelled, 1 filled, 2 never there, NOT VERIFIED');
    expect(text).toContain('at least 2 open orders there not of this bot');
    const order = 'may still rest: btc_usdt buy 1.00000 @ 100.00';
    expect(text).toContain(`${order}, id 1, client id tw0001`);
    expect(text).toContain(`${order}, the exchange may not have it, client id tw0001`);
    expect(text).not.toContain('tradewind orders');
  });

  it('says of orders that may still rest at a venue how to look, to cancel, and how long', () => {
    const stop = {
      ...leaving(makePending()),
      arrivesUntilMs: Date.UTC(2024, 0, 1, 12, 2),
      lapseAtMs: Date.UTC(2024, 0, 1, 12),
    };
    const lasting = { file: 'my/live.yaml', journal: JOURNAL, embedded: undefined };
    const text = summaryOf({ ...lasting, stop });
    const rows = text.split('\n').map((line) => line.trim());
    const at = rows.findIndex((row) => row.startsWith('may still rest'));
    expect(rows.slice(at + 1, at + 6)).toEqual([
      'the exchange cancels what rests in these markets by 12:00:00 UTC',
      'to look: npx tradewind orders list --market btc_usdt --venue-config my/live.yaml --show all',
      'to cancel all there: npx tradewind orders cancel-all --market btc_usdt --venue-config my/live.yaml',
      'an order that is not listed may still arrive until 12:02:00 UTC; if it is not listed then, it was never placed',
      'a next run with this journal finds out what became of them, and sends none of them again',
    ]);
    expect(summaryOf({ stop: { ...stop, verified: true }, embedded: undefined })).not.toContain(
      'to look',
    );
  });

  it('says what a next run waits for where the journal failed', () => {
    const stop = leaving(makePending());
    const journal = { path: 'a.journal', hash: undefined };
    expect(summaryOf({ stop, journal, embedded: undefined })).toContain(
      ' once the journal can be written again, a next run with this journal finds out what became of them, ',
    );
  });

  it('leads to the account that the run was on, in words that a shell takes', async () => {
    const set = ['venue.seed=9', 'seed=x'];
    const { venueSet } = await runDeployment(virtualRun({ set }));
    expect(venueSet).toEqual(['venue.seed=9']);
    const text = summaryOf({
      ...{ file: 'my bots/live.yaml', stop: leaving(), embedded: undefined },
      venueSet: ['venue.requestTimeoutMs=9 # short'],
    });
    expect(text).toContain(
      'npx tradewind orders cancel-all --market btc_usdt ' +
        "--venue-config 'my bots/live.yaml' --set 'venue.requestTimeoutMs=9 # short'",
    );
  });
});

describe('summaryLines, of how to cancel what may rest,', () => {
  it('names the markets of the orders that are left, all where it knows of none', () => {
    const [market] = status.markets;
    const other = { ...market!, market: { ...market!.market, id: 'eth_usdt' } };
    const two = { ...status, markets: [market!, other] };
    const marketsOf = (...remaining: readonly LiveOrder[]) => {
      const text = summaryOf({ status: two, stop: leaving(...remaining), embedded: undefined });
      return Array.from(text.matchAll(/cancel-all --market (\S+)/g), ([, id]) => id);
    };
    expect(marketsOf(makePending())).toEqual(['btc_usdt']);
    expect(marketsOf()).toEqual(['btc_usdt', 'eth_usdt']);
  });
});

describe('summaryLines of an order that a person settled by an id and no start found', () => {
  it('says to settle it once more: a next run alone finds out of the others', () => {
    const settled = {
      ...makeOpen({ clientOrderId: 'lost1', evidence: 'person' }),
      ...({ status: 'unknown', reason: 'told', unknownSince: 0 } as const),
    };
    const again =
      'settle lost1 once more, no such order was found under the id that was given: ' +
      'npx tradewind orders settle lost1 --journal a.journal';
    const alone = left(settled);
    expect(alone).toContain(again);
    expect(alone).not.toContain('finds out what became of them');
    expect(left(settled, makePending())).toMatch(
      new RegExp(`finds out what became of them.*\\n +${again}`),
    );
    expect(left(makePending())).not.toContain('once more');
    expect(left({ ...settled, evidence: 'query' })).not.toContain('once more');
    const spaced = { path: 'my bots/a.journal', hash: 'b' };
    const text = summaryOf({ stop: leaving(settled), journal: spaced, embedded: undefined });
    expect(text).toContain("--journal 'my bots/a.journal'");
  });
});

describe('summaryLines of a market', () => {
  it('tells a profit as finely as the prices of its market', () => {
    const [first] = status.markets;
    const market = { ...first!.market, quote: 'eth', priceScale: 8 };
    const profit = Decimal.of('-0.00001234');
    const markets = [{ ...first!, market, profit, runProfit: profit }];
    expect(summaryOf({ status: { ...status, markets } })).toContain(
      'profit -0.00001234 eth after fees',
    );
  });

  it('tells what is held to the last digit, where a fee left less than an order can trade', () => {
    const [first] = status.markets;
    const market = { ...first!.market, id: 'xrp_eth', base: 'xrp', amountScale: 0 };
    const held = (amount: string): string => {
      const position = { ...first!.position, amount: Decimal.of(amount) };
      return summaryOf({ status: { ...status, markets: [{ ...first!, market, position }] } });
    };
    expect(held('19.96')).toContain('position +19.96 xrp,');
    expect(held('-1320')).toContain('position -1,320 xrp,');
    expect(held('0')).toContain('position 0 xrp,');
  });

  it('tells this run from all runs, and each strategy for itself where there are several', () => {
    const [first] = status.markets;
    const one = first!.ofStrategies[0]!;
    const [profit, runProfit] = [Decimal.of('-6.09'), Decimal.of('0.5')];
    const gone = { ...one, strategy: 'gone', isTrading: false, profit, runProfit: Decimal.ZERO };
    const older = { ...gone, strategy: 'older' };
    const market = { ...first!, hasPast: true, profit, runProfit, ofStrategies: [one] };
    const of = (...others: (typeof gone)[]) => {
      const markets = [{ ...market, ofStrategies: [one, ...others] }];
      return summaryOf({ status: { ...status, markets } });
    };
    const alone = of();
    expect(alone).toMatch(/btc, profit \+0\.50 usdt this run, -6\.09 usdt all runs, after fees$/m);
    expect(alone).not.toContain('in btc_usdt');
    expect(of(gone, older)).toMatch(
      /^ {2}in btc_usdt +strategy +position +entry +this run +all runs +fees\n.+\n +gone .+ 0\.00 +-6\.09 .+\n +older /m,
    );
  });
});

it('summaryLines promise of an order in a market that is not traded no run that finds out', () => {
  const elsewhere = makePending({ market: 'eth_usdt' });
  const alone = left(elsewhere, { ...elsewhere, clientOrderId: 'tw0002' });
  expect(alone.match(/eth_usdt is not traded here: a next run looks/g)).toHaveLength(1);
  expect(alone).not.toContain('finds out what became of them');
  expect(left(elsewhere, makePending())).toContain('finds out what became of them');
});
