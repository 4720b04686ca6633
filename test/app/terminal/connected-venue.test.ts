import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { read } from '../../../src/app/terminal/answers.ts';
import { connectVenue } from '../../../src/app/terminal/connected-venue.ts';
import { marketNamed } from '../../../src/app/terminal/markets.ts';
import { scratchFile } from '../fixture.ts';

const ENVIRONMENT = { ZB_ACCESS_KEY: 'of-environment', ZB_SECRET_KEY: 'secret' };

/** Addresses at which all that is asked for is kept. */
async function venueFixture(body = '{"code":1000}') {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end(body);
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

  it.each([
    ['the environment', undefined],
    ['a file', 'accessKey: of-file\nsecretKey: secret\n'],
  ])('names where the keys come from that are wrong: %s', async (_where, text) => {
    const { url, host } = await venueFixture('{"code":1003,"message":"no"}');
    const keyFile = scratchFile('keys.yaml', text ?? '');
    chmodSync(keyFile, 0o600);
    const venue = connectVenue(
      { dataUrl: url, tradeUrl: url, ...(text && { keyFile }) },
      { needs: { keys: true }, environment: ENVIRONMENT },
    );
    const asking = read(venue, venue.exchange.account.account());
    const access = text === undefined ? 'ZB_ACCESS_KEY' : keyFile;
    const secret = text === undefined ? 'ZB_SECRET_KEY' : keyFile;
    await expect(asking).rejects.toThrow(
      `${host}: Cannot read the account: the exchange answered 1003 "no"\n` +
        `the access key in ${access} or its secret key in ${secret} is wrong`,
    );
    await venue.close();
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

  it('warns of a market whose rules cannot be read, and refuses it in those words', async () => {
    const rules = { priceScale: 2, amountScale: 4, minAmount: 0.001, minSize: 1 };
    const body = JSON.stringify({ btc_usdt: rules, odd_usdt: { ...rules, minSize: null } });
    const { url, host } = await venueFixture(body);
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const venue = connectVenue({ dataUrl: url }, { needs: {}, environment: {}, warn });
    await expect(marketNamed(venue, 'odd_usdt')).rejects.toMatchObject({
      message: `${host}: Cannot use market "odd_usdt": its rules cannot be read, scales and least amounts are wanted`,
      reason: 'exchange',
    });
    expect((await marketNamed(venue, 'btc_usdt')).priceScale).toBe(2);
    await venue.close();
    expect(warnings).toEqual(['the rules of a market cannot be read, it is left out: odd_usdt']);
  });
});
