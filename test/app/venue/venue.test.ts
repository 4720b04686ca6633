import { firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import { systemClock } from '../../../src/app/time/system-clock.ts';
import { openVenue } from '../../../src/app/venue/venue.ts';
import { seededRandom, silentLogger } from '../../../src/kernel/index.ts';
import { deploymentFile } from '../fixture.ts';

/** What the account of a simulated venue may do, as its run is told. */
async function permissionsOf(transport: string, permissions: object) {
  const accounts = [{ name: 'main', balances: { usdt: '1' }, permissions }];
  const file = deploymentFile({ venue: { kind: 'simulated', transport, accounts } });
  const venue = await openVenue(loadDeployment(file), {
    ...{ clock: systemClock, logger: silentLogger, random: seededRandom('permissions') },
  });
  onTestFinished(() => venue.close());
  return (await firstValueFrom(venue.exchange.account.account())).permissions;
}

describe('openVenue, simulated,', () => {
  it.each(['loopback', 'process'])(
    'lets the run do what its account may: %s',
    async (transport) => {
      const most = { withdrawals: true, orders: true };
      expect(await permissionsOf(transport, most)).toMatchObject(most);
      const least = { withdrawals: false, orders: false };
      expect(await permissionsOf(transport, least)).toMatchObject(least);
    },
  );
});

describe('openVenue, of markets without a source of prices,', () => {
  const warned = async (venue: object): Promise<unknown[]> => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void told.push(fields) };
    const file = deploymentFile({ venue: { kind: 'simulated', transport: 'process', ...venue } });
    const opened = await openVenue(loadDeployment(file), {
      ...{ clock: systemClock, logger, random: seededRandom('source') },
    });
    await opened.close();
    return told;
  };
  const BARE = { id: 'btc_usdt', priceScale: 2, amountScale: 4 };

  it('warns of each that is traded', async () => {
    const other = { ...BARE, id: 'eth_usdt' };
    expect(await warned({ markets: [BARE, other] })).toEqual([{ market: 'btc_usdt' }]);
  });

  it('says nothing of one that is made up, by default too', async () => {
    const synthetic = { startPrice: 30_000 };
    expect(await warned({ markets: [{ ...BARE, synthetic }] })).toEqual([]);
    expect(await warned({})).toEqual([]);
  });
});
