import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, START } from '../../store/fixture.ts';

function candles(): string {
  const prices = { open: '42000.0', high: '42010.0', low: '41990.0', close: '42005.0' };
  const rows = [0, 60_000].map((ms) => ({ time: START + ms, ...prices, volume: '123456' }));
  return JSON.stringify({ candles: rows, more_candles: false });
}

function trades(): string {
  const row = { price: 42000, size: 5000, side: 'sell', type: 'fill', uid: 'b3f2' };
  const history = [9, 5].map((ms) => ({
    ...{ time: new Date(START + ms).toISOString(), trade_id: 100 + ms },
    ...row,
  }));
  return JSON.stringify({ result: 'success', serverTime: '2024-02-01T00:00:00Z', history });
}

const KINDS = [
  ['candles', '1min', candles()],
  ['trades', 'trades', trades()],
] as const;

describe.each(KINDS)('importFiles, of %s as Kraken Futures answers,', (kind, name, text) => {
  it.each([
    ['PI_XBTUSD.json', 'kraken-inverse.xbt_usd', 'US dollars'],
    ['pf_xbtusd-2024.json', 'kraken-futures.xbt_usd', undefined],
    ['FI_ETHUSD_240329.json', 'kraken-inverse-240329.eth_usd', 'US dollars'],
    ['FF_ETHUSD_240329.json', 'kraken-futures-240329.eth_usd', undefined],
  ])('goes by the contract in the name %s', async (file, id, unit) => {
    const dataset = await datasetOf(file, text);
    expect(dataset.id).toBe(`${id}.${name}`);
    expect(dataset.sources[0]).toMatchObject({ format: `${kind} as Kraken Futures answers` });
    expect(dataset.sources[0]!.amountUnit).toBe(unit);
    const [first] = await rowsOf(dataset);
    if (kind === 'candles') expect(first).toEqual([START, 42000, 42010, 41990, 42005, 123456]);
    else expect(first).toEqual([START + 5, Number.NaN, 42000, 5000, -1]);
  });

  it('refuses a name without one, as nothing tells what amounts count', async () => {
    await expect(datasetOf('XBTUSD.json', text)).rejects.toThrow(
      `Cannot import XBTUSD.json: it holds ${kind} as Kraken Futures answers, whose amounts count ` +
        'US dollars of some contracts (PI_, FI_) and the base currency of others, a name with its ' +
        'contract is wanted, such as PF_XBTUSD.json, or a mapping of its columns (--mapping)',
    );
  });
});
