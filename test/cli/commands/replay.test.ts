import { describe, expect, it } from 'vitest';
import { deploymentFile } from '../../app/fixture.ts';
import { recordedSession } from '../../app/replay/fixture.ts';
import { line } from './fixture.ts';

const WIDER = { amount: 0.005, positionMax: 0.03, spread: 0.0006, volatilityLength: 10 };

/** A deployment whose quotes are wider than those of the recorded one. */
function widerFile(): string {
  return deploymentFile({ strategies: [{ use: 'market-maker', params: WIDER }] });
}

describe('tradewind replay', () => {
  it('says that every decision came out as recorded', async () => {
    const { path } = await recordedSession({ durationMs: 20_000 });
    const { code, stdout } = await line(`replay ${path}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`${path}, run 1 of 2024-01-01T00:00:00.000Z, seed seed 0`);
    expect(stdout).toContain('settings as recorded');
    expect(stdout).toMatch(/^given {7}\d stages of the run, .*\d+ books/m);
    expect(stdout).toContain('every decision came out as recorded');
  });

  it('shows differences event by event, as many as are asked for, and ends with code 12', async () => {
    const { path } = await recordedSession({ durationMs: 20_000 });
    const { code, stdout } = await line(`replay ${path} --config ${widerFile()} --limit 2`);
    expect(code).toBe(12);
    expect(stdout).toContain('whose settings DIFFER from the recorded ones');
    expect(stdout.match(/^\d+\. changed #\d+ 2024-01-01T\S+ market-maker$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/given {5}#\d+ \S+ depth btc_usdt bid [\d.]+, ask [\d.]+/);
    expect(stdout).toMatch(/recorded {2}quotes btc_usdt bids 0\.005 @ [\d.]+, asks /);
    expect(stdout).toMatch(/\d+ differences, \d+ more than shown \(--limit\)/);
  });

  it('gives programs all of it', async () => {
    const { path } = await recordedSession({ durationMs: 20_000 });
    const { json } = await line(`replay ${path} --config ${widerFile()} --limit 1 --json`);
    expect(json()).toMatchObject({
      ...{ journal: path, run: 1, seed: 'seed 0', config: { isAsRecorded: false } },
      differences: [{ kind: 'changed', recorded: { decision: { kind: 'intent' } } }],
    });
  });

  it('refuses a journal that is not there with the code of journals', async () => {
    expect(await line('replay none.journal')).toMatchObject({
      code: 7,
      stderr: 'Cannot read none.journal: there is no such file',
    });
  });
});

describe('tradewind compare', () => {
  it('lays two runs of a journal side by side', async () => {
    const { path } = await recordedSession({ runs: 2, durationMs: 60_000 });
    const { code, stdout } = await line(`compare ${path} ${path} --run-a 1`);
    expect(code).toBe(0);
    expect(stdout).toContain(`A  ${path}, run 1, seed seed 0\nB  ${path}, run 2, seed seed 1\n`);
    expect(stdout).toContain('settings: the same');
    expect(stdout).toMatch(/^profit of A +-?[\d.]+$/m);
    expect(stdout).toMatch(/^B - A +[+-]?[\d.]+$/m);
  });

  it('gives programs exact sums as texts', async () => {
    const { path } = await recordedSession({ durationMs: 60_000 });
    const { json } = await line(`compare ${path} ${path} --json`);
    expect(json()).toMatchObject({
      ...{ settings: [], data: [], decisions: { different: 0 } },
      attribution: [{ quote: 'usdt', difference: expect.stringMatching(/^0(\.0+)?$/) }],
    });
  });
});
