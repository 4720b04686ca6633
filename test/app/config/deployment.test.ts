import { describe, expect, it } from 'vitest';
import { type DeploymentConfig, deploymentSchema } from '../../../src/app/config/deployment.ts';
import { readAs } from '../../../src/app/config/problems.ts';
import { parseYaml } from '../../../src/app/config/yaml.ts';

const SOUND = `
name: a
markets: [btc_usdt]
strategies: [{ use: grid }]
`;
const SIMULATED = 'venue: { kind: simulated }\n';
const SIMULATED_IN_PROCESS = 'venue: { kind: simulated, transport: process }\n';

/** A simulated venue and made-up prices, with further settings each. */
function madeUp({ venue = '', prices = '' } = {}): string {
  return `
venue: { kind: simulated${venue} }
backtest:
  balances: { usdt: "1" }
  generate: { btc_usdt: { startPrice: 1${prices} } }
`;
}

/** A real venue with further settings. */
function zb(further: string): string {
  const addresses = 'dataUrl: https://a, tradeUrl: https://a, pushUrl: wss://a';
  return `venue: { kind: zb, ${addresses}, accessKey: { env: A }, secretKey: { env: B }${further} }\n`;
}

function read(text: string): DeploymentConfig {
  return readAs(deploymentSchema, parseYaml('a.yaml', SOUND + text));
}

/** The seeds of the simulated venue and of the prices that are made up. */
function seedsOf({ venue, backtest }: DeploymentConfig): unknown[] {
  return [venue.kind === 'simulated' && venue.seed, backtest?.generate.btc_usdt?.seed];
}

describe('deploymentSchema, seeds', () => {
  it.each([
    ['tradewind', undefined, ''],
    ['AAA', 'AAA', 'seed: AAA\n'],
  ])('of made-up markets are %s where the deployment has %s', (own, seed, line) => {
    const config = read(line + madeUp());
    expect(config.seed).toBe(seed);
    expect(seedsOf(config)).toEqual([own, own]);
  });

  it('of made-up markets stay as the file has them', () => {
    const own = madeUp({ venue: ', seed: 0', prices: ', seed: BBB' });
    expect(seedsOf(read(`seed: AAA\n${own}`))).toEqual([0, 'BBB']);
  });
});

describe('deploymentSchema, venue.markets', () => {
  const follow = 'follow: { dataUrl: http://a, pushUrl: ws://a }';
  const recorded = 'recordings: [{ file: a.csv }]';

  it.each([
    ['nothing else gives prices', '', ['btc_usdt']],
    ['something is recorded', `, ${recorded}`, []],
    ['a venue is followed', `, ${follow}`, []],
    ['they are listed', `, ${follow}, markets: [{ id: eth_usdt }]`, ['eth_usdt']],
  ])('are those of a simulated venue where %s', (_what, settings, markets) => {
    const config = read(`venue: { kind: simulated${settings} }\n`);
    const { venue } = config;
    expect(deploymentSchema.parse(config)).toEqual(config);
    expect(venue.kind === 'simulated' && venue.markets.map(({ id }) => id)).toEqual(markets);
  });
});

describe('deploymentSchema, data.requestTimeoutMs', () => {
  it.each([
    ['a simulated venue', 5_000, SIMULATED],
    ['a real one', 5_000, zb('')],
    ['a patient one', 9_000, zb(', requestTimeoutMs: 9000')],
    ['an impatient one', 1200, zb(', requestTimeoutMs: 1200')],
  ])('is as long as %s waits: %i', (_venue, waitMs, text) => {
    expect(read(text).data.requestTimeoutMs).toBe(waitMs);
  });

  it('may be shorter than the venue waits, and as long', () => {
    for (const waitMs of [300, 1200]) {
      const text = `${zb(', requestTimeoutMs: 1200')}data: { requestTimeoutMs: ${waitMs} }\n`;
      expect(read(text).data.requestTimeoutMs).toBe(waitMs);
    }
  });

  it.each([
    [
      zb(', requestTimeoutMs: 1200'),
      'it is 1201, a number of at most 1200, as venue.requestTimeoutMs has it, is wanted',
      1201,
    ],
    [
      zb(''),
      'it is 5001, a number of at most 5000, as venue.requestTimeoutMs has it, is wanted',
      5001,
    ],
    [SIMULATED, 'it is 5001, a number of at most 5000 is wanted', 5001],
  ])('refuses one that would have no effect: %#', (venue, what, waitMs) => {
    const line = `a.yaml:7:3: Cannot use "data.requestTimeoutMs": ${what}`;
    expect(() => read(`${venue}data:\n  requestTimeoutMs: ${waitMs}\n`)).toThrow(line);
  });
});

describe('deploymentSchema, executor.answerTimeoutMs', () => {
  const executor = (answerTimeoutMs: number) =>
    `executor:\n  answerTimeoutMs: ${answerTimeoutMs}\n`;

  it.each([
    ['as long as a real venue waits', zb(''), 5_000],
    ['as short as one waits that is impatient', zb(', requestTimeoutMs: 1200'), 1_200],
    ['shorter than sockets wait that are not there', SIMULATED_IN_PROCESS, 300],
  ])('may be %s', (_, venue, answerTimeoutMs) => {
    const config = read(venue + executor(answerTimeoutMs));
    expect(config.executor.answerTimeoutMs).toBe(answerTimeoutMs);
  });

  it.each([
    ['a real venue', zb('')],
    ['a simulated one', SIMULATED],
  ])('is refused where sockets of %s would outlast it', (_, venue) => {
    const what = "it is 4999, a number of at least 5000, so long does the venue's client wait,";
    const line = `a.yaml:7:3: Cannot use "executor.answerTimeoutMs": ${what} is wanted`;
    expect(() => read(venue + executor(4_999))).toThrow(line);
  });
});

describe('deploymentSchema, across sections,', () => {
  it.each([
    ['a venue of unknown kind', 'venue: { kind: simulted }\n', '"venue.kind": it is "simulted"'],
    ['a value of the wrong kind', `${SIMULATED}fees: all\n`, '"fees": it is "all"'],
    ['an unknown key', `${SIMULATED}fee: 1\n`, 'key "fee": it is unknown'],
  ])('tells what is wrong beside %s', (_what, beside, problem) => {
    const sound = SOUND.replace('btc_usdt', 'btc_usdt, btc_usdt');
    const text = `${sound}${beside}risk: { markets: { eth_usdt: {} } }\n`;
    const told = () => readAs(deploymentSchema, parseYaml('a.yaml', text));
    expect(told).toThrow(problem);
    expect(told).toThrow('"markets[1]": it is "btc_usdt", which the list has already');
    expect(told).toThrow('"risk.markets.eth_usdt": it is not traded by this deployment');
  });

  it.each([
    ['[1, 2]', 'a list'],
    ['42', '42'],
    ['hello', '"hello"'],
  ])('wants a group of settings where the whole is %s', (text, what) => {
    expect(() => readAs(deploymentSchema, parseYaml('a.yaml', text))).toThrow(
      `a.yaml:1:1: Cannot use this file: it is ${what}, a group of settings is wanted`,
    );
  });

  it('leaves out what hangs on a value of the wrong kind', () => {
    const text = `${SIMULATED}risk: { markets: 7 }\n`;
    expect(() => read(text)).toThrow(/^.*"risk\.markets": it is 7, a group of settings is wanted$/);
  });
});
