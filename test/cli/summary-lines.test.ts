import { describe, expect, it } from 'vitest';
import { runDeployment } from '../../src/app/run-deployment.ts';
import type { Summary } from '../../src/app/summary.ts';
import { summaryLines } from '../../src/cli/summary-lines.ts';
import { virtualRun } from '../app/fixture.ts';
import { makeOpen } from '../domain/fixture.ts';

async function summaryOf(overrides: Partial<Summary> = {}): Promise<string> {
  return summaryLines({ ...(await runDeployment(virtualRun())), ...overrides }).join('\n');
}

describe('summaryLines', () => {
  it('tells what a run came to', async () => {
    const text = await summaryOf();
    for (const label of ['stopped', 'btc_usdt', 'quotes', 'fills', 'heartbeats', 'refusals']) {
      expect(text).toMatch(new RegExp(`^  ${label} +\\S`, 'm'));
    }
    expect(text).toMatch(/^ {2}exchange +0 orders left on it$/m);
    expect(text).toMatch(/^ {2}hash +[0-9a-f]{64}$/m);
  });

  it('names every order that may still rest', async () => {
    const counts = { cancelled: 1, filled: 1, of: 3, foreign: 2 };
    const stop = { ...counts, verified: false, remaining: [makeOpen()] };
    const text = await summaryOf({ stop });
    expect(text).toContain('1 of 3 live ones cancelled, 1 filled, NOT VERIFIED');
    expect(text).toContain('2 open orders there not ours');
    expect(text).toContain('may still rest: btc_usdt tw0001');
  });

  it('says of a strategy that never wished how much it has seen', async () => {
    expect(await summaryOf()).not.toContain('no wish yet');
    const { status } = await runDeployment(virtualRun());
    const [strategy] = status.strategies;
    expect(strategy!.wishes).toBeGreaterThan(0);
    expect(strategy!.books).toBeGreaterThan(strategy!.wishes);
    const strategies = [{ ...strategy!, name: 'maker', wishes: 0, books: 1 }];
    expect(await summaryOf({ status: { ...status, strategies } })).toMatch(
      /^ {2}strategy +maker: no wish yet \(1 book seen\)$/m,
    );
  });

  it('says what ends a halt, but not of an exchange that ends with the run', async () => {
    const { status, embedded } = await runDeployment(virtualRun());
    const halted = { ...status, trading: { state: 'HALTED', reason: 'lost too much' } as const };
    const remedy = /^ {2}trading +HALTED: lost too much\n +it stays so until a run with --resume$/m;
    expect(await summaryOf({ status: halted, embedded: undefined })).toMatch(remedy);
    expect(await summaryOf({ status: halted, embedded })).not.toContain('--resume');
    expect(await summaryOf({ embedded: undefined })).not.toContain('--resume');
  });

  it('says why a profit is unknown', async () => {
    const { status } = await runDeployment(virtualRun());
    const markets = status.markets.map((market) => ({ ...market, profit: undefined }));
    const text = await summaryOf({ status: { ...status, markets } });
    expect(text).toMatch(/btc, profit unknown \(no price yet\)$/m);
  });

  it('tells of a journal that failed', async () => {
    expect(await summaryOf({ journal: { path: 'a', hash: undefined } })).toContain(
      'none: the journal failed',
    );
  });
});
