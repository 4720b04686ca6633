import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeDatasets } from '../../../src/history/index.ts';
import { lockDataset } from '../../../src/history/store/lock.ts';
import { candles, json, Store } from './fixture.ts';

async function stored(): Promise<Store> {
  const store = new Store();
  for (const market of ['btc_usdt', 'eth_usdt']) {
    await store.import(store.file(`${market}.json`, json(candles(0, 5))));
  }
  return store;
}

const [BTC, ETH] = ['local.btc_usdt.1min', 'local.eth_usdt.1min'] as const;

describe('removeDatasets', () => {
  it('leaves nothing of them, and the others whole', async () => {
    const store = await stored();
    await removeDatasets(store.root, [BTC]);
    expect(readdirSync(store.root).sort()).toEqual(['.files', '.locks', ETH]);
    expect(store.dataset(ETH).rows).toBe(5);
    const again = await store.import(store.file('btc_usdt.json', json(candles(0, 3))));
    expect(again).toMatchObject({ rows: 3, revision: 1 });
  });

  it('removes none while another process changes one of them', async () => {
    const store = await stored();
    const lock = lockDataset(store.root, { id: ETH, work: 'imports into' });
    const removing = (): Promise<void> => removeDatasets(store.root, [BTC, ETH]);
    await expect(removing()).rejects.toThrow(
      `Cannot change ${ETH}: process ${process.pid} imports into it right now`,
    );
    expect(store.ids()).toEqual([BTC, ETH]);
    lock.release();
    await removing();
    expect(store.ids()).toEqual([]);
  });

  it('removes what cannot be read any more', async () => {
    const store = await stored();
    writeFileSync(join(store.root, BTC, 'manifest.json'), '{');
    expect(() => store.ids()).toThrow(
      /`tradewind data remove` and a new import or download are wanted/,
    );
    await removeDatasets(store.root, [BTC]);
    expect(store.ids()).toEqual([ETH]);
  });
});
