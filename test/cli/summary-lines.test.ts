import { describe, expect, it } from 'vitest';
import { runDeployment, type Summary } from '../../src/app/index.ts';
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

  it('tells of a journal that failed', async () => {
    expect(await summaryOf({ journal: { path: 'a', hash: undefined } })).toContain(
      'none: the journal failed',
    );
  });
});
