import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectVenue } from '../../../src/app/terminal/connected-venue.ts';
import { scratchFile } from '../fixture.ts';

const ENVIRONMENT = { ZB_ACCESS_KEY: 'of-environment', ZB_SECRET_KEY: 'secret' };

/** Addresses at which all that is asked for is kept. */
async function venueFixture() {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('{"code":1000}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, asked, url: `http://${host}` };
}

describe('connectVenue', () => {
  it.each([
    ['the environment', undefined, 'of-environment'],
    ['a file that is named', 'accessKey: of-file\nsecretKey: secret\n', 'of-file'],
  ])('signs with the keys in %s', async (_where, text, accessKey) => {
    const [data, trade] = [await venueFixture(), await venueFixture()];
    const keyFile = scratchFile('keys.yaml', text ?? '');
    chmodSync(keyFile, 0o600);
    const venue = connectVenue(
      { dataUrl: data.url, tradeUrl: trade.url, ...(text && { keyFile }) },
      { needs: { keys: true }, environment: ENVIRONMENT },
    );
    await firstValueFrom(venue.exchange.account.account()).catch(() => {});
    await venue.close();
    expect(trade.asked.map((url) => /accesskey=([^&]*)/.exec(url)?.[1])).toEqual([accessKey]);
    expect(data.asked).toEqual([]);
    expect(venue.host).toBe(trade.host);
  });

  it('needs no keys for market data, and names where that comes from', async () => {
    const data = await venueFixture();
    const venue = connectVenue({ dataUrl: data.url }, { needs: {}, environment: {} });
    await firstValueFrom(venue.exchange.market.markets()).catch(() => {});
    await venue.close();
    expect(data.asked).toHaveLength(1);
    expect(data.asked[0]).not.toContain('accesskey');
    expect(venue.host).toBe(data.host);
  });
});
