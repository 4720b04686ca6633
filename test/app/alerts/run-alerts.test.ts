import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { of, Subject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runDeployment } from '../../../src/app/run-deployment.ts';
import type { StopRequest } from '../../../src/app/session.ts';
import { DAY_MS } from '../../../src/kernel/index.ts';
import { deploymentFile, keptLog, scratchFile, scratchFolder, virtualRun } from '../fixture.ts';
import { environmentFixture, hookFixture } from './fixture.ts';

const STOP: StopRequest = { reason: 'asked to', outcome: 'success' };
const THROWER = `import { defineStrategy, throwError, z } from '#strategy';
export default defineStrategy({
  name: 'thrower',
  params: z.strictObject({}),
  run: () => throwError(() => new Error('no such thing')),
});
`;

const BUYER = `import { concat, defineStrategy, map, NEVER, take, target, z } from '#strategy';
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  run: ({ market, depth }) =>
    concat(depth().pipe(take(1), map(() => target(market, 0.001))), NEVER),
});
`;

/** A run of a deployment whose alerts come to a hook. */
async function runFixture(overrides: Record<string, unknown> = {}, status = 200) {
  const hook = await hookFixture(() => status);
  environmentFixture({ TEST_HOOK: hook.url });
  const { alerts: more, ...others } = overrides;
  const alerts = { url: { env: 'TEST_HOOK' }, format: 'text', pauseMs: 1_000, ...more! };
  const journal = { path: join(scratchFolder(), 'test.journal') };
  const file = deploymentFile({ alerts, journal, ...others });
  writeFileSync(join(dirname(file), 'thrower.ts'), THROWER);
  writeFileSync(join(dirname(file), 'buyer.ts'), BUYER);
  const stop = new Subject<StopRequest>();
  const uncaught = new Subject<unknown>();
  const log = keptLog();
  const run = runDeployment({ file, log, stop, uncaught });
  return { hook, log, run, stop, uncaught };
}

describe('runDeployment, with alerts', () => {
  it('tells that it has started, and how it ended', async () => {
    const { hook, run, stop } = await runFixture();
    await hook.reached(1);
    stop.next(STOP);
    await run;
    const bodies = hook.received.map(({ body }) => body);
    expect(bodies[0]).toBe('test: started on simulated exchange in process');
    expect(bodies.at(-1)).toMatch(/^test: stopped, asked to: .*verified/);
  });

  it('tells what a person should look at', async () => {
    const { hook, run } = await runFixture({
      strategies: [{ use: './thrower.ts', name: 'thrower' }],
    });
    await run;
    const said = hook.received.map(({ body }) => body).join('\n');
    expect(said).toMatch(/strategy thrower failed: no such thing/);
    expect(said).toMatch(/stopped, no strategy is left to run/);
  });

  it('tells of each fill where that is set', async () => {
    const strategies = [{ use: './buyer.ts', name: 'buyer' }];
    const { hook, run, stop } = await runFixture({ alerts: { fills: true }, strategies });
    await hook.heard(/buyer bought 0\.001 in btc_usdt at \d+/);
    stop.next(STOP);
    expect((await run).outcome).toBe('success');
  });

  it('tells why it could not start', async () => {
    const { hook, run } = await runFixture({ journal: { path: scratchFolder() } });
    await expect(run).rejects.toMatchObject({ exitCode: 7 });
    expect(hook.received[0]!.body).toMatch(/^test: Cannot .*journal/);
  });

  it('calls it no error that somebody stops it while strategies are loaded', async () => {
    const hook = await hookFixture();
    environmentFixture({ TEST_HOOK: hook.url });
    const alerts = { url: { env: 'TEST_HOOK' } };
    const file = deploymentFile({ alerts, strategies: [{ use: './stuck.ts' }] });
    writeFileSync(join(dirname(file), 'stuck.ts'), 'await new Promise(() => {});\n');
    const run = runDeployment({ file, log: keptLog(), stop: of(STOP) });
    await expect(run).rejects.toMatchObject({ exitCode: 0 });
    const text = 'Cannot go on loading strategies: asked to';
    expect(JSON.parse(hook.received[0]!.body).alerts).toMatchObject([{ level: 'info', text }]);
  });

  it('hears what nobody caught while it still tells how it ended', async () => {
    const { hook, run, stop, uncaught } = await runFixture();
    await hook.reached(1);
    stop.next(STOP);
    await hook.reached(2);
    // With nobody listening, Node would end the process before its summary.
    expect(uncaught.observed).toBe(true);
    await run;
    expect(uncaught.observed).toBe(false);
  });

  it('goes on, and says so in the log alone, where nobody takes them', async () => {
    const { hook, log, run, stop } = await runFixture({}, 404);
    await hook.reached(1);
    stop.next(STOP);
    expect((await run).outcome).toBe('success');
    const told = log.lines.filter((line) => line.includes('Cannot post alerts'));
    expect(told[0]).toContain('the address in TEST_HOOK: it answered 404 (no such hook)');
    expect(log.lines.join('\n')).not.toContain(hook.url);
  });

  it('tells nobody of a rehearsal on virtual time', async () => {
    const hook = await hookFixture();
    environmentFixture({ TEST_HOOK: hook.url });
    const file = deploymentFile({ alerts: { url: { env: 'TEST_HOOK' } } });
    await runDeployment(virtualRun({ file, durationMs: 1_000 }));
    expect(hook.received).toEqual([]);
  });
});

describe('runDeployment, of where its alerts are posted,', () => {
  it('tells nobody, whoever speaks of it', async () => {
    const { hook, log, run, uncaught } = await runFixture();
    await hook.reached(1);
    uncaught.next(new Error(`no answer of ${hook.url}`));
    const { reason } = await run;
    const said = hook.received.map(({ body }) => body).join('\n');
    expect(said).toMatch(/nobody caught: no answer of \*\*\*; stopping in order/);
    expect(said).toMatch(/stopped, .*no answer of \*\*\*: cancelled/);
    expect([reason, said, ...log.lines].join('\n')).not.toContain(hook.url);
  });

  it('tells nobody where it cannot start, whatever it says of that', async () => {
    const hook = await hookFixture();
    environmentFixture({ TEST_HOOK: hook.url });
    const alerts = { url: { env: 'TEST_HOOK' }, format: 'text' };
    const journal = { path: `${scratchFile('taken', '')}/${hook.url}.journal` };
    const file = deploymentFile({ alerts, journal });
    const run = runDeployment({ file, log: keptLog(), stop: new Subject<StopRequest>() });
    const { message } = await run.catch((thrown) => thrown);
    expect(message).toMatch(/^Cannot open the journal .*\*\*\*\.journal: /);
    expect(hook.received.map(({ body }) => body)).toEqual([`test: ${message}`]);
    expect(message).not.toContain(hook.url);
  });
});

// Must be the last one here: the process's clock follows a date that moves forward, not back.
describe('runDeployment, with alerts at midnight', () => {
  it('tells what came of the day', async () => {
    const now = Date.now;
    const aheadMs = DAY_MS - (now() % DAY_MS) - 4_000;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    onTestFinished(() => void vi.restoreAllMocks());
    const { hook, run, stop } = await runFixture();
    await hook.reached(2);
    stop.next(STOP);
    await run;
    const said = hook.received.map(({ body }) => body).join('\n');
    expect(said).toMatch(/\d{4}-\d\d-\d\d since 23:59:\d\d UTC: \d+ fills? of \d+ orders?, net /);
  });
});
