import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { openAlerts } from '../../../src/app/alerts/open-alerts.ts';
import type { Posted } from '../../../src/app/alerts/post.ts';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import type { Fill } from '../../../src/domain/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { deploymentFile } from '../fixture.ts';
import { environmentFixture, toldFixture } from './fixture.ts';

const URL_ = 'https://hooks.example.com/secret';
const ALIVE = 'https://alive.example.com/secret';

/** Alerts of a deployment, and what they send, each in a line. */
function alertsFixture(settings: object, environment: Readonly<Record<string, string>> = {}) {
  environmentFixture({ HOOK: URL_, ALIVE, ...environment });
  const clock = new VirtualClock(0);
  const sent: string[] = [];
  const { logger, told } = toldFixture();
  const deployment = loadDeployment(deploymentFile({ alerts: settings }));
  const alerts = openAlerts(deployment, {
    ...{ clock, logger },
    send: (url, { method, body }) => {
      sent.push([method, url, ...(body === undefined ? [] : [body])].join(' '));
      return Promise.resolve({ kind: 'taken' } satisfies Posted);
    },
  });
  const settle = (): Promise<void> => {
    clock.advanceBy(0);
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { alerts: alerts!, clock, sent, settle, told };
}

describe('openAlerts', () => {
  it('opens none where a deployment names none', () => {
    const { logger } = toldFixture();
    const deployment = loadDeployment(deploymentFile());
    expect(openAlerts(deployment, { clock: new VirtualClock(0), logger })).toBeUndefined();
  });

  it('posts what is told, as it is set', async () => {
    const { alerts, sent, settle } = alertsFixture({ url: { env: 'HOOK' }, format: 'slack' });
    alerts.tell('error', 'it broke');
    await settle();
    expect(sent).toEqual([`POST ${URL_} {"text":"test: it broke"}`]);
  });

  it('posts what its logger is told, at the level that is set', async () => {
    const settings = { url: { env: 'HOOK' }, format: 'text' };
    const { alerts, sent, settle } = alertsFixture(settings);
    const { logger, told } = toldFixture();
    const watched = alerts.watching(logger);
    watched.warn({}, 'mends itself');
    watched.error({}, 'does not');
    await settle();
    expect(sent).toEqual([`POST ${URL_} test: does not`]);
    expect(told).toEqual(['warn mends itself', 'error does not']);
  });

  it('posts no fill where none is to be posted', async () => {
    const { alerts, sent, settle } = alertsFixture({ url: { env: 'HOOK' }, fills: false });
    const fills = new Subject<Fill>();
    alerts.following(fills);
    expect(fills.observed).toBe(false);
    await settle();
    expect(sent).toEqual([]);
  });

  it('calls as a sign of life from its opening to its close', async () => {
    const { alerts, clock, sent, settle } = alertsFixture({ aliveUrl: { env: 'ALIVE' } });
    alerts.tell('error', 'nobody to post it to');
    await settle();
    await alerts.close();
    clock.advanceBy(3_600_000);
    expect(sent).toEqual([`GET ${ALIVE}`]);
  });

  it('posts at its close what waits', async () => {
    const { alerts, sent } = alertsFixture({ url: { env: 'HOOK' }, format: 'text' });
    alerts.tell('info', 'stopped');
    await alerts.close();
    expect(sent).toEqual([`POST ${URL_} test: stopped`]);
  });
});

describe('openAlerts, closed', () => {
  it('gives a last post that nobody answers five seconds', async () => {
    environmentFixture({ HOOK: URL_ });
    const clock = new VirtualClock(0);
    const { logger } = toldFixture();
    const deployment = loadDeployment(deploymentFile({ alerts: { url: { env: 'HOOK' } } }));
    const alerts = openAlerts(deployment, {
      ...{ clock, logger },
      send: (_url, { signal }) =>
        new Promise((resolve) => {
          signal!.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'ended' }));
        }),
    })!;
    alerts.tell('info', 'stopped');
    let isClosed = false;
    const closed = alerts.close().then(() => {
      isClosed = true;
    });
    clock.advanceBy(4_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    clock.advanceBy(1);
    await closed;
  });
});

describe('openAlerts, of an address', () => {
  it('wants it in the environment, and names the place', () => {
    const settings = { url: { env: 'NO_HOOK' }, aliveUrl: { env: 'NO_ALIVE' } };
    expect(() => alertsFixture(settings)).toThrow(
      /:\d+:\d+: Cannot read alerts.url: the environment variable NO_HOOK is not set, the address is wanted in it\n.*alerts.aliveUrl: .*NO_ALIVE/,
    );
  });

  it.each(['hooks.example.com', 'http://hooks.example.com/', 'ftp://127.0.0.1/', '#general'])(
    'refuses %s, without showing it',
    (HOOK) => {
      const open = () => alertsFixture({ url: { env: 'HOOK' } }, { HOOK });
      expect(open).toThrow(
        /:\d+:\d+: Cannot use what the environment variable HOOK holds: .*https:/,
      );
      expect(open).not.toThrow(HOOK);
    },
  );

  it('takes an open line to this very machine', () => {
    const HOOK = 'http://127.0.0.1:9/hook';
    expect(alertsFixture({ url: { env: 'HOOK' } }, { HOOK }).alerts).toBeDefined();
  });
});

describe('alerts of a deployment', () => {
  it.each([
    [
      {},
      '"alerts.url": it is missing, a reference { env: NAME } to an environment variable is wanted',
    ],
    [{ url: URL_ }, '"alerts.url": it is of the wrong kind, no address in plain text: a reference'],
    [
      { url: { env: URL_ } },
      '"alerts.url.env": it is of the wrong kind, the name of an environment variable is wanted',
    ],
    [{ url: { [URL_]: null } }, 'a key in "alerts.url": it is unknown, one of env is wanted'],
    [{ url: { env: 'HOOK' }, format: 'telegram' }, '"alerts.chat": it is missing, the chat'],
    [{ url: { env: 'HOOK' }, chat: '42' }, '"alerts.chat": it is "42", json has no chats'],
    [{ url: { env: 'HOOK' }, levle: 'warn' }, 'did you mean "level"'],
    [
      { aliveUrl: { env: 'HOOK' }, format: 'slack' },
      '"alerts.format": it is "slack", nothing is posted, url is wanted with it',
    ],
    [{ aliveUrl: { env: 'HOOK' }, chat: '42' }, '"alerts.chat": it is "42", nothing is posted'],
    [{ aliveUrl: { env: 'HOOK' }, level: 'warn' }, '"alerts.level": it is "warn", nothing is'],
    [{ aliveUrl: { env: 'HOOK' }, pauseMs: 1_000 }, '"alerts.pauseMs": it is 1000, nothing is'],
    [{ url: { env: 'HOOK' }, aliveEveryMs: 1_000 }, '"alerts.aliveEveryMs": it is 1000, nothing'],
  ])('refuses %j', (alerts, message) => {
    const load = () => loadDeployment(deploymentFile({ alerts }));
    expect(load).toThrow(message);
    expect(load).not.toThrow(URL_);
  });
});
