import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type ServedSettings, servedSettings } from '../../../src/app/exchange/served-settings.ts';
import { scratchFile, twoTrades } from '../fixture.ts';

function settingsOf(file: object, flags: ServedSettings = {}) {
  return servedSettings({ file: scratchFile('exchange.yaml', stringify(file)), ...flags });
}

describe('servedSettings', () => {
  it('lives in real time and has no admin port unless told', async () => {
    const { time, admin } = await servedSettings({});
    expect([time, admin]).toEqual([{ mode: 'real' }, undefined]);
  });

  it('takes time and admin port of the command line before those of the file', async () => {
    const file = { time: { mode: 'scaled', scale: 5 }, admin: { port: 1 } };
    expect(await settingsOf(file)).toMatchObject(file);
    expect((await settingsOf(file, { scale: 7 })).time).toMatchObject({ mode: 'scaled', scale: 7 });
    expect((await settingsOf(file, { time: 'scaled' })).time).toMatchObject({ scale: 5 });
    const flags = { time: 'stepped', adminPort: 2 } as const;
    const { time, admin } = await settingsOf(file, flags);
    expect([time, admin]).toEqual([{ mode: 'stepped' }, { port: 2 }]);
  });

  it('keeps the beginning that the file names, but for real time', async () => {
    const start = '2026-01-01T00:00:00Z';
    const file = { time: { mode: 'stepped', start } };
    expect((await settingsOf(file, { adminPort: 1 })).time).toMatchObject({ start });
    expect((await settingsOf(file, { scale: 2 })).time).toMatchObject({ mode: 'scaled', start });
    expect((await settingsOf(file, { time: 'real' })).time).toEqual({ mode: 'real' });
  });

  it('says of a file that is not there that an exchange is wanted', async () => {
    await expect(servedSettings({ file: 'nowhere.yaml' })).rejects.toMatchObject({
      reason: 'configuration',
      message: 'Cannot read nowhere.yaml: there is no such file, an exchange is wanted',
    });
  });

  it('takes a scale alone for scaled time', async () => {
    expect((await servedSettings({ scale: 60 })).time).toMatchObject({ mode: 'scaled', scale: 60 });
  });

  it.each(['real', 'stepped'] as const)('does not scale %s time', async (time) => {
    await expect(servedSettings({ time, scale: 2 })).rejects.toMatchObject({
      reason: 'usage',
      message: `Cannot scale ${time} time: --time scaled is wanted`,
    });
  });

  it('has no use for a speed where nothing is replayed', async () => {
    await expect(servedSettings({ speed: 10 })).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('Cannot play at speed 10: nothing is replayed'),
    });
    const { recordings } = await servedSettings({ speed: 10, replay: [twoTrades()] });
    expect(recordings).toMatchObject([{ speed: 10 }]);
  });

  it('has no use for a folder of datasets where nothing is replayed', async () => {
    await expect(servedSettings({ dataFolder: 'mine' })).rejects.toMatchObject({
      reason: 'usage',
      message: 'Cannot take datasets from mine: nothing is replayed, --replay is wanted',
    });
    const files = servedSettings({ dataFolder: 'mine', replay: [twoTrades()] });
    await expect(files).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('mine: files are replayed, the name of a dataset is wanted'),
    });
  });

  it('takes the market of the one recording that is replayed', async () => {
    const [first] = (await servedSettings({ replay: [twoTrades()], market: 'eth_usdt' }))
      .recordings;
    expect(first?.market).toBe('eth_usdt');
    const refused = async (replay?: readonly string[]): Promise<string> => {
      const settings = { market: 'eth_usdt', ...(replay && { replay }) };
      return servedSettings(settings).then(String, ({ message }: Error) => message);
    };
    expect(await refused()).toBe(
      'Cannot replay in eth_usdt: nothing is replayed, --replay is wanted',
    );
    expect(await refused([twoTrades(), twoTrades()])).toBe(
      'Cannot replay in eth_usdt: 2 recordings are replayed, one is wanted ' +
        '(a configuration names a market each)',
    );
  });

  it('follows a venue in real time alone', async () => {
    const follow = { dataUrl: 'http://127.0.0.1:1', pushUrl: 'ws://127.0.0.1:1' };
    await expect(settingsOf({ follow }, { scale: 2 })).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringContaining('in scaled time: it lives in real time'),
    });
  });
});

describe('servedSettings, the recordings of a file', () => {
  const recording = { file: 'ltc.json', market: 'ltc_usdt', speed: 5 };

  it('play at their own speed unless the command line names one', async () => {
    const file = { recordings: [recording] };
    expect((await settingsOf(file)).recordings).toMatchObject([{ speed: 5 }]);
    expect((await settingsOf(file, { speed: 2 })).recordings).toMatchObject([{ speed: 2 }]);
  });

  it('play beside those of the command line, and beside its markets', async () => {
    const file = { markets: [{ id: 'eth_btc' }], recordings: [recording] };
    const { markets, recordings } = await settingsOf(file, { replay: [twoTrades()] });
    expect(markets.map(({ id }) => id)).toEqual(['eth_btc']);
    expect(recordings).toMatchObject([recording, { file: expect.any(String), speed: 1 }]);
  });
});

describe('servedSettings, stepped time', () => {
  it('is none without the port that moves it', async () => {
    const message = expect.stringContaining('in stepped time: there is no admin port');
    const told = servedSettings({ time: 'stepped' });
    await expect(told).rejects.toMatchObject({ reason: 'usage', message });
    const written = settingsOf({ time: { mode: 'stepped' } });
    await expect(written).rejects.toMatchObject({ reason: 'configuration', message });
    const file = { time: { mode: 'stepped' }, admin: { port: 0 } };
    expect((await settingsOf(file)).time).toEqual({ mode: 'stepped' });
  });
});

describe('the keys of a served exchange', () => {
  it('are many, each with its account, permissions, addresses and state', async () => {
    const keys = [
      { accessKey: 'a', secretKey: 'x' },
      {
        accessKey: 'b',
        secretKey: 'y',
        account: 'other',
        permissions: { orders: false, withdrawals: true },
        boundAddresses: ['10.0.0.1'],
        disabled: true,
      },
    ];
    const accounts = [{ name: 'main' }, { name: 'other' }];
    const { server } = await settingsOf({ accounts, server: { keys } });
    expect(server.keys).toMatchObject([
      { account: 'main', permissions: { assets: true, orders: true, withdrawals: false } },
      { ...keys[1], permissions: { assets: true, orders: false, withdrawals: true } },
    ]);
  });

  it('are refused with their places where two are one, or open no account', async () => {
    const key = { accessKey: 'a', secretKey: 'x' };
    const keys = [key, { ...key, account: 'mian' }];
    await expect(settingsOf({ server: { keys } })).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringMatching(
        new RegExp(
          '^.+:5:7: Cannot use "server.keys\\[1\\]": it is the key of keys\\[0\\], another .+\\n' +
            '.+:7:7: Cannot use "server.keys\\[1\\].account": it is "mian", .+ did you mean "main"\\?$',
        ),
      ),
    });
  });

  it('are refused where there are no accounts', async () => {
    const keys = [{ accessKey: 'a', secretKey: 'x' }];
    await expect(settingsOf({ accounts: [], server: { keys } })).rejects.toThrow(
      'it is "main", which is none of accounts, one of that name is wanted',
    );
  });
});
