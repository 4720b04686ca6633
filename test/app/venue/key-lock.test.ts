import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../src/app/errors.ts';
import { type KeyUse, lockKey } from '../../../src/app/venue/key-lock.ts';
import { scratchFile, scratchFolder } from '../fixture.ts';

/** Locks in a folder of their own; a use of a key whose parts may be others. */
function keys(folder = scratchFolder()) {
  vi.stubEnv('TRADEWIND_LOCKS', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const use = (overrides: Partial<KeyUse> = {}): KeyUse => ({
    accessKey: 'access-hush',
    variable: 'ZB_ACCESS_KEY',
    tradeUrl: 'https://trade.example.com/api',
    deployment: 'deployment one of /bots/one.yaml',
    ...overrides,
  });
  return { folder, use };
}

describe('lockKey', () => {
  it('refuses a second use and names the first, until that lets go', () => {
    const { use } = keys();
    const lock = lockKey(use());
    const second = use({ deployment: 'deployment two', tradeUrl: 'https://TRADE.example.com:443' });
    expect(() => lockKey(second)).toThrow(AppError);
    expect(() => lockKey(second)).toThrow(
      'Cannot trade on trade.example.com with the key in ZB_ACCESS_KEY: ' +
        `process ${process.pid}, deployment one of /bots/one.yaml, trades with it already, ` +
        'a key for each process is wanted',
    );
    lock.release();
    const next = lockKey(second);
    expect(() => lockKey(use())).toThrow(/deployment two, trades with it already/);
    next.release();
  });

  it('ends with code 3: a person has to decide', () => {
    const { use } = keys();
    const lock = lockKey(use());
    onTestFinished(() => lock.release());
    expect(() => lockKey(use())).toThrow(expect.objectContaining({ exitCode: 3 }));
  });

  it.each([
    ['another key', { accessKey: 'access-other' }],
    ['another venue', { tradeUrl: 'https://trade.example.org' }],
    ['another port', { tradeUrl: 'https://trade.example.com:8443' }],
  ])('lets %s through', (_what, other) => {
    const { use } = keys();
    const locks = [lockKey(use()), lockKey(use(other))];
    for (const lock of locks) lock.release();
  });

  it('knows this machine by all its names', () => {
    const { use } = keys();
    const lock = lockKey(use({ tradeUrl: 'http://127.0.0.1:8710' }));
    onTestFinished(() => lock.release());
    for (const name of ['localhost', '[::1]']) {
      expect(() => lockKey(use({ tradeUrl: `http://${name}:8710` }))).toThrow('already');
    }
  });

  it('keeps the key itself nowhere', () => {
    const { folder, use } = keys();
    const lock = lockKey(use());
    onTestFinished(() => lock.release());
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(0);
    const texts = names.map((name) => readFileSync(join(folder, name), 'latin1'));
    expect([...names, ...texts].join('\n')).not.toContain('hush');
  });

  it('refuses a folder that begins at that of the command: two bots would have two', () => {
    const { use } = keys('locks');
    expect(() => lockKey(use())).toThrow(/TRADEWIND_LOCKS is locks, a whole path is wanted/);
  });

  it.each([
    ['', 'empty'],
    ['bots', 'bots'],
  ])('refuses where the home folder is %j, and says where another is named', (home, told) => {
    const { use } = keys('');
    vi.stubEnv('HOME', home);
    expect(() => lockKey(use())).toThrow(
      'its lock cannot be taken: the home folder of this user (HOME) is ' +
        `${told}, a whole path is wanted (TRADEWIND_LOCKS names another folder)`,
    );
  });

  it('refuses where no lock can be had, and says where another folder is named', () => {
    const file = scratchFile('a', '');
    const { use } = keys(join(file, 'locks'));
    expect(() => lockKey(use())).toThrow(
      `cannot be taken: ${file} is no folder, one is wanted (TRADEWIND_LOCKS names another folder)`,
    );
  });
});
