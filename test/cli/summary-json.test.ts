import { describe, expect, it } from 'vitest';
import { runDeployment } from '../../src/app/run-deployment.ts';
import type { Summary } from '../../src/app/status/summary.ts';
import { summaryJson } from '../../src/cli/summary-json.ts';
import { summaryLines } from '../../src/cli/summary-lines.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { virtualRun } from '../app/fixture.ts';

const RUN = await runDeployment(virtualRun({ file: 'config/demo.yaml' }));
const { status, stop } = RUN;

/** What programs are told of that run, had it come to this instead. */
function toldOf(overrides: Partial<Summary> = {}) {
  return JSON.parse(summaryJson({ ...RUN, ...overrides }));
}

describe('summaryJson', () => {
  it('is one line with level, time and sentence, as those of the log', () => {
    expect(summaryJson(RUN)).not.toContain('\n');
    expect(toldOf()).toMatchObject({
      ...{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/) },
      msg: `${RUN.name} stopped: ${RUN.reason}`,
    });
  });

  it('has the figures as numbers, sums exact, and the lines for people', () => {
    const { summary } = toldOf();
    const { tally } = status;
    expect(summary).toMatchObject({
      ...{ outcome: 'success', exitCode: 0, trading: { state: 'ACTIVE', reason: 'never changed' } },
      counts: { orders: tally.orders, fills: tally.fills },
      orders: { verified: true, remaining: [] },
      markets: [{ market: 'btc_usdt', currency: 'usdt' }],
      journal: { path: null, hash: RUN.journal.hash },
    });
    expect(summary.markets[0].position).toBe(status.markets[0]!.position.amount.toString());
    expect(summary.lines[0]).toBe(summaryLines(RUN)[1]);
    expect(summary.lines).toContain(summaryLines(RUN)[2]!.trim());
  });

  it.each(['defect', 'strategy', 'journal'] as const)(
    'is an error where the run ends by one: %s',
    (outcome) => {
      expect(toldOf({ outcome })).toMatchObject({
        ...{ level: 'error', summary: { orders: { verified: true } } },
      });
    },
  );

  it('tells what this run has earned apart from all runs', () => {
    const [market] = status.markets;
    const earned = { runProfit: Decimal.of('0.50000000000000016'), profit: Decimal.of('-1.5') };
    const fees = {
      runFees: Decimal.of('0.1'),
      position: { ...market!.position, fees: Decimal.of(2) },
    };
    const markets = [{ ...market!, ...earned, ...fees }];
    expect(toldOf({ status: { ...status, markets } }).summary.markets).toMatchObject([
      { profit: '0.5', fees: '0.1', profitOfAllRuns: '-1.5', feesOfAllRuns: '2' },
    ]);
  });

  it('tells which strategies the stop ended, and why others were over before', () => {
    const [maker] = status.strategies;
    const failed = { ...maker!, name: 'grid', status: 'failed', reason: 'boom' } as const;
    const strategies = [maker!, failed];
    const { wishes, books, candles } = maker!;
    expect(toldOf({ status: { ...status, strategies } }).summary.strategies).toEqual([
      { name: 'market-maker', status: 'stopped', reason: null, wishes, books, candles },
      { name: 'grid', status: 'failed', reason: 'boom', wishes, books, candles },
    ]);
  });

  it('counts refusals by their code, failed requests and stale data, and is an error where a stop is not verified', () => {
    const refusals = new Map([['position', { wishes: 3, tries: 5 }]]);
    const tally = { ...status.tally, refusals, requestFailures: 2, stale: 3 };
    const parts = { status: { ...status, tally }, stop: { ...stop, verified: false } };
    const told = toldOf({ ...parts, outcome: 'unverified' });
    expect(told).toMatchObject({ level: 'error', summary: { exitCode: 6 } });
    expect(told.summary.refusals).toEqual({ position: { wishes: 3, tries: 5 } });
    expect(told.summary.counts).toMatchObject({ requestFailures: 2, stale: 3 });
  });
});
