import { describe, expect, it } from 'vitest';
import { environmentFixture, hookFixture } from '../../app/alerts/fixture.ts';
import { deploymentFile } from '../../app/fixture.ts';
import { line } from './fixture.ts';

async function alertsFixture(status: (path: string) => number = () => 200) {
  const hook = await hookFixture(status);
  environmentFixture({ TEST_HOOK: hook.url, TEST_ALIVE: hook.url.replace('/hook', '/alive') });
  const alerts = { url: { env: 'TEST_HOOK' }, format: 'slack', aliveUrl: { env: 'TEST_ALIVE' } };
  return { file: deploymentFile({ alerts }), hook };
}

describe('tradewind alerts', () => {
  it('posts a trial, and calls once as a sign of life', async () => {
    const { file, hook } = await alertsFixture();
    const { code, stdout } = await line(`alerts ${file}`);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'alert taken by the address in TEST_HOOK\nsign of life taken by the address in TEST_ALIVE\n',
    );
    expect(hook.received).toMatchObject([
      { method: 'POST', path: '/hook', body: '{"text":"test: a trial: alerts arrive here"}' },
      { method: 'GET', path: '/alive' },
    ]);
  });

  it('says so to a program', async () => {
    const { file } = await alertsFixture();
    const { json } = await line(`alerts ${file} --json`);
    expect(json()).toEqual({
      taken: [
        { what: 'alert', variable: 'TEST_HOOK' },
        { what: 'sign of life', variable: 'TEST_ALIVE' },
      ],
    });
  });

  it('ends with code 3 where an address does not take it, and names the place, not the address', async () => {
    const { file, hook } = await alertsFixture((path) => (path === '/hook' ? 404 : 200));
    const { code, stderr } = await line(`alerts ${file}`);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /deployment\.yaml:\d+:\d+: Cannot reach anybody by the address in TEST_HOOK: it answered 404/,
    );
    expect(stderr).not.toContain(hook.url);
  });

  it('ends with code 3 where the deployment has no alerts', async () => {
    const { code, stderr } = await line(`alerts ${deploymentFile()}`);
    expect([code, stderr]).toEqual([3, expect.stringContaining('it has no section alerts')]);
  });
});
