import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  playAccounts,
  type ServedSettings,
  servedSettings,
} from '../../../src/app/exchange/served-settings.ts';
import { scratchFile, twoTrades } from '../fixture.ts';

function settingsOf(file: object, flags: ServedSettings = {}) {
  return servedSettings({ file: scratchFile('exchange.yaml', stringify(file)), ...flags });
}

/** An error of that reason, its message whole or as far as is told. */
const failure = (reason: string, message: unknown) => expect.objectContaining({ reason, message });

const NONE = (async function* () {})();

describe('servedSettings', () => {
  it('lives in real time and has no admin port unless told', () => {
    const { time, admin } = servedSettings({});
    expect([time, admin]).toEqual([{ mode: 'real' }, undefined]);
  });

  it('takes time and admin port of the command line before those of the file', () => {
    const file = { time: { mode: 'scaled', scale: 5 }, admin: { port: 1 } };
    expect(settingsOf(file)).toMatchObject(file);
    expect(settingsOf(file, { scale: 7 }).time).toMatchObject({ mode: 'scaled', scale: 7 });
    expect(settingsOf(file, { time: 'scaled' }).time).toMatchObject({ scale: 5 });
    const flags = { time: 'stepped', adminPort: 2 } as const;
    const { time, admin } = settingsOf(file, flags);
    expect([time, admin]).toEqual([{ mode: 'stepped' }, { port: 2 }]);
  });

  it('keeps the beginning that the file names, but for real time', () => {
    const start = '2026-01-01T00:00:00Z';
    const file = { time: { mode: 'stepped', start } };
    expect(settingsOf(file, { adminPort: 1 }).time).toMatchObject({ start });
    expect(settingsOf(file, { scale: 2 }).time).toMatchObject({ mode: 'scaled', start });
    expect(settingsOf(file, { time: 'real' }).time).toEqual({ mode: 'real' });
  });

  it('says of a file that is not there that an exchange is wanted', () => {
    expect(() => servedSettings({ file: 'nowhere.yaml' })).toThrow(
      failure(
        'configuration',
        'Cannot read nowhere.yaml: there is no such file, an exchange is wanted',
      ),
    );
  });

  it('takes a scale alone for scaled time', () => {
    expect(servedSettings({ scale: 60 }).time).toMatchObject({ mode: 'scaled', scale: 60 });
  });

  it.each(['real', 'stepped'] as const)('does not scale %s time', (time) => {
    expect(() => servedSettings({ time, scale: 2 })).toThrow(
      failure('usage', `Cannot scale ${time} time: --time scaled is wanted`),
    );
  });
});

describe('servedSettings, of what is replayed,', () => {
  it('has no use for a speed where nothing is replayed', () => {
    expect(() => servedSettings({ speed: 10 })).toThrow(
      failure('usage', expect.stringContaining('Cannot play at speed 10: nothing is replayed')),
    );
    const { recordings } = servedSettings({ speed: 10, replay: [twoTrades()] });
    expect(recordings).toMatchObject([{ speed: 10 }]);
  });

  it('has no use for a folder of datasets where nothing is replayed', () => {
    expect(() => servedSettings({ dataFolder: 'mine' })).toThrow(
      failure('usage', 'Cannot take datasets from mine: nothing is replayed, --replay is wanted'),
    );
    const files = () => servedSettings({ dataFolder: 'mine', replay: [twoTrades()] });
    expect(files).toThrow(
      failure(
        'usage',
        expect.stringContaining('mine: files are replayed, the name of a dataset is wanted'),
      ),
    );
  });

  it('takes the market of the one recording that is replayed', () => {
    const [first] = servedSettings({ replay: [twoTrades()], market: 'eth_usdt' }).recordings;
    expect(first?.market).toBe('eth_usdt');
    const refused = (replay?: readonly string[]) => {
      const settings = { market: 'eth_usdt', ...(replay && { replay }) };
      return expect(() => servedSettings(settings));
    };
    refused().toThrow('Cannot replay in eth_usdt: nothing is replayed, --replay is wanted');
    refused([twoTrades(), twoTrades()]).toThrow(
      'Cannot replay in eth_usdt: 2 recordings are replayed, one is wanted ' +
        '(a configuration names a market each)',
    );
  });

  it('follows a venue in real time alone', () => {
    const follow = { dataUrl: 'http://127.0.0.1:1', pushUrl: 'ws://127.0.0.1:1' };
    expect(() => settingsOf({ follow }, { scale: 2 })).toThrow(
      failure('configuration', expect.stringContaining('in scaled time: it lives in real time')),
    );
  });
});

describe('playAccounts', () => {
  it('gives the quote currency of each market, and a base worth as much', () => {
    const of = (marketId: string, firstPrice: number) => {
      const scales = { priceScale: 4, amountScale: 0 };
      return {
        name: marketId,
        marketId,
        firstPrice,
        spanMs: 0,
        ...scales,
        warnings: [],
        records: NONE,
      };
    };
    const [account] = playAccounts([of('btc_usdt', 100), of('xrp_eth', 0.0014)]);
    expect(account?.balances).toEqual({
      ...{ btc: '100', usdt: '10000' },
      ...{ xrp: '7142857.1429', eth: '10000' },
    });
  });
});

describe('servedSettings, the recordings of a file', () => {
  const recording = { file: 'ltc.json', market: 'ltc_usdt', speed: 5 };

  it('play at their own speed unless the command line names one', () => {
    const file = { recordings: [recording] };
    expect(settingsOf(file).recordings).toMatchObject([{ speed: 5 }]);
    expect(settingsOf(file, { speed: 2 }).recordings).toMatchObject([{ speed: 2 }]);
  });

  it('play beside those of the command line, and beside its markets', () => {
    const file = { markets: [{ id: 'eth_btc' }], recordings: [recording] };
    const { markets, recordings } = settingsOf(file, { replay: [twoTrades()] });
    expect(markets.map(({ id }) => id)).toEqual(['eth_btc']);
    expect(recordings).toMatchObject([recording, { file: expect.any(String), speed: 1 }]);
  });
});

describe('servedSettings, stepped time', () => {
  it('is none without the port that moves it', () => {
    const message = expect.stringContaining('in stepped time: there is no admin port');
    const told = () => servedSettings({ time: 'stepped' });
    expect(told).toThrow(expect.objectContaining({ reason: 'usage', message }));
    const written = () => settingsOf({ time: { mode: 'stepped' } });
    expect(written).toThrow(expect.objectContaining({ reason: 'configuration', message }));
    const file = { time: { mode: 'stepped' }, admin: { port: 0 } };
    expect(settingsOf(file).time).toEqual({ mode: 'stepped' });
  });
});

describe('the keys of a served exchange', () => {
  it('are many, each with its account, permissions, addresses and state', () => {
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
    const { server } = settingsOf({ accounts, server: { keys } });
    expect(server.keys).toMatchObject([
      { account: 'main', permissions: { assets: true, orders: true, withdrawals: false } },
      { ...keys[1], permissions: { assets: true, orders: false, withdrawals: true } },
    ]);
  });

  it('are refused with their places where two are one, or open no account', () => {
    const key = { accessKey: 'a', secretKey: 'x' };
    const keys = [key, { ...key, account: 'mian' }];
    expect(() => settingsOf({ server: { keys } })).toThrow(
      failure(
        'configuration',
        expect.stringMatching(
          new RegExp(
            '^.+:5:7: Cannot use "server.keys\\[1\\]": it is the key of keys\\[0\\], another .+\\n' +
              '.+:7:7: Cannot use "server.keys\\[1\\].account": it is "mian", .+ did you mean "main"\\?$',
          ),
        ),
      ),
    );
  });

  it('are refused where there are no accounts', () => {
    const keys = [{ accessKey: 'a', secretKey: 'x' }];
    expect(() => settingsOf({ accounts: [], server: { keys } })).toThrow(
      'it is "main", which is none of accounts, one of that name is wanted',
    );
  });
});
