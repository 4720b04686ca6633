import { describe, expect, it } from 'vitest';
import { connectVenue } from '../../../src/app/terminal/connected-venue.ts';
import { connectionFlags, connectionOf } from '../../../src/app/terminal/connection.ts';
import { deploymentFile, scratchFile } from '../fixture.ts';

const KEYS = { keys: true };

describe('connectionOf', () => {
  it('goes to the exchange on this machine when nothing is chosen', () => {
    expect(connectionOf({}, KEYS)).toMatchObject({
      dataUrl: 'http://127.0.0.1:8710',
      tradeUrl: 'http://127.0.0.1:8710',
      pushUrl: 'ws://127.0.0.1:8710/websocket',
      variables: { accessKey: 'ZB_ACCESS_KEY', secretKey: 'ZB_SECRET_KEY' },
    });
  });

  it('takes the part venue of a deployment, with the names of its keys and its patience', () => {
    const venue = {
      kind: 'zb',
      dataUrl: 'https://data.test',
      tradeUrl: 'https://trade.test',
      pushUrl: 'wss://push.test',
      accessKey: { env: 'MY_ACCESS' },
      secretKey: { env: 'MY_SECRET' },
      requestTimeoutMs: 1234,
    };
    const file = deploymentFile({ venue, strategies: 'not looked at' });
    expect(connectionOf({ venueConfig: file }, KEYS)).toMatchObject({
      dataUrl: 'https://data.test',
      tradeUrl: 'https://trade.test',
      variables: { accessKey: 'MY_ACCESS', secretKey: 'MY_SECRET' },
      settings: { requestTimeoutMs: 1234 },
    });
    expect(() => connectVenue({ venueConfig: file }, { needs: KEYS, environment: {} })).toThrow(
      'MY_ACCESS is not set',
    );
  });

  it('reads the example of a live deployment', () => {
    const { tradeUrl } = connectionOf({ venueConfig: 'config/live.example.yaml' }, KEYS);
    expect(tradeUrl).toBe('https://trade.example.com');
  });

  it('says where a deployment is simulated, misspelt or without a venue', () => {
    const of = (file: string) => () => connectionOf({ venueConfig: file }, KEYS);
    const simulated = /demo\.yaml:\d+:\d+: Cannot connect: this venue is simulated .* zb is wanted/;
    expect(of('config/demo.yaml')).toThrow(simulated);
    const misspelt = scratchFile('a.yaml', 'venue:\n  kind: zb\n  dataUlr: https://a.test\n');
    expect(of(misspelt)).toThrow(/a\.yaml:3:3: .*"venue\.dataUlr": it is unknown, did you mean/);
    expect(of(scratchFile('b.yaml', 'name: b\n'))).toThrow(/b\.yaml:.*"venue/);
    expect(of('none.yaml')).toThrow('Cannot read none.yaml: there is no such file');
  });

  it('asks the venue that a simulated one follows for its market data, for nothing signed', () => {
    const follow = '{ dataUrl: https://data.test, pushUrl: wss://push.test }';
    const venueConfig = scratchFile('c.yaml', `venue: { kind: simulated, follow: ${follow} }\n`);
    const addresses = { dataUrl: 'https://data.test', pushUrl: 'wss://push.test' };
    expect(connectionOf({ venueConfig }, { pushes: true })).toMatchObject(addresses);
    expect(() => connectionOf({ venueConfig }, KEYS)).toThrow('a venue of kind zb is wanted');
  });

  it('guesses no address beside one that is given', () => {
    const dataUrl = 'https://data.test';
    expect(connectionOf({ dataUrl }, {})).toMatchObject({ dataUrl });
    expect(() => connectionOf({ dataUrl }, KEYS)).toThrow(
      'only --data-url is given, --trade-url is wanted too',
    );
    expect(() => connectionOf({ dataUrl }, { pushes: true })).toThrow('--push-url is wanted too');
    expect(() => connectionOf({ tradeUrl: dataUrl }, KEYS)).toThrow('--data-url is wanted too');
  });

  it('takes a file or addresses, not both', () => {
    expect(() => connectionOf({ venueConfig: 'a', dataUrl: 'b' }, {})).toThrow(
      expect.objectContaining({ reason: 'usage' }),
    );
  });
});

describe('connectionOf, --set', () => {
  it("takes settings of the venue in place of the file's, as a run does, and no others", () => {
    const venueConfig = 'config/live.example.yaml';
    const set = ['venue.tradeUrl=https://other.test', 'venue.accessKey.env=OTHER'];
    expect(connectionOf({ venueConfig, set }, KEYS)).toMatchObject({
      tradeUrl: 'https://other.test',
      variables: { accessKey: 'OTHER', secretKey: 'ZB_SECRET_KEY' },
    });
    const of = (choice: object) => () => connectionOf(choice, KEYS);
    expect(of({ venueConfig, set: ['risk.orderValueMax=1'] })).toThrow(
      'Cannot set "risk.orderValueMax" here: one of the venue is wanted',
    );
    expect(of({ set })).toThrow('Cannot set anything: the file is wanted too (--venue-config)');
  });
});

describe('connectionFlags', () => {
  it('repeats what was chosen', () => {
    expect(connectionFlags({ venueConfig: 'a.yaml', keyFile: 'k' })).toEqual(
      '--venue-config a.yaml --key-file k'.split(' '),
    );
    expect(connectionFlags({ venueConfig: 'a.yaml', set: ['venue.b=1', 'venue.c=2'] })).toEqual(
      '--venue-config a.yaml --set venue.b=1 --set venue.c=2'.split(' '),
    );
    expect(connectionFlags({ dataUrl: 'd', tradeUrl: 't' })).toEqual(
      '--data-url d --trade-url t'.split(' '),
    );
    expect(connectionFlags({})).toEqual([]);
  });
});

describe('connectVenue', () => {
  it('wants no keys for market data', async () => {
    const venue = connectVenue({}, { needs: {}, environment: {} });
    expect(venue.host).toBe('127.0.0.1:8710');
    await venue.close();
  });

  it('refuses an address that would show keys on an open line', () => {
    const choice = { dataUrl: 'https://data.test', tradeUrl: 'http://trade.test' };
    const environment = { ZB_ACCESS_KEY: 'a', ZB_SECRET_KEY: 'hush' };
    expect(() => connectVenue(choice, { needs: KEYS, environment })).toThrow(
      /^Cannot use --trade-url: it is http:\/\/trade\.test, https:\/\/ is wanted/,
    );
    const pushed = { ...choice, tradeUrl: 'https://trade.test', pushUrl: 'https://push.test' };
    expect(() => connectVenue(pushed, { needs: KEYS, environment })).toThrow(
      /^Cannot use --push-url: it is https:\/\/push\.test, wss:\/\/ is wanted/,
    );
  });
});
