import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deploymentSchema } from '../../../src/app/config/deployment.ts';
import { servedExchangeSchema } from '../../../src/app/config/exchange.ts';
import { overridden } from '../../../src/app/config/overrides.ts';
import { readAs, readPart } from '../../../src/app/config/problems.ts';
import { parseYaml } from '../../../src/app/config/yaml.ts';
import { AppError } from '../../../src/app/errors.ts';

function problemsOf(schema: z.ZodType, text: string, settings: string[] = []): string[] {
  try {
    readAs(schema, overridden(parseYaml('a.yaml', text), settings));
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    expect((thrown as AppError).exitCode).toBe(3);
    return (thrown as AppError).message.split('\n');
  }
  return [];
}

const SOUND = `
name: a
venue: { kind: simulated }
markets: [btc_usdt]
strategies: [{ use: grid }]
`;

describe('readAs', () => {
  it('fills in the defaults of all sections', () => {
    const config = readAs(deploymentSchema, parseYaml('a.yaml', SOUND));
    expect(config).toMatchObject({ log: { level: 'info' }, executor: { batch: false } });
  });

  it.each([
    ['a missing value', 'n:', 'a.yaml:1:1: Cannot use "n": it is missing, a number is wanted'],
    ['a missing key', 'other: 1', 'a.yaml:1:1: Cannot use "n": it is missing, a number is wanted'],
    ['a wrong type', 'n: abc', 'a.yaml:1:1: Cannot use "n": it is "abc", a number is wanted'],
    [
      'a file of something else',
      `n: ${'x'.repeat(5_000)}`,
      `a.yaml:1:1: Cannot use "n": it is "${'x'.repeat(100)}…", a number is wanted`,
    ],
    ['a list', 'n: [1]', 'a.yaml:1:1: Cannot use "n": it is a list, a number is wanted'],
    ['a low number', 'n: -1', 'a.yaml:1:1: Cannot use "n": it is -1, a number above 0 is wanted'],
    [
      'a high number',
      'n: 9',
      'a.yaml:1:1: Cannot use "n": it is 9, a number of at most 5 is wanted',
    ],
  ])('says of %s what is and what is wanted', (_what, text, line) => {
    const schema = z.looseObject({ n: z.number().positive().max(5) });
    expect(problemsOf(schema, text)).toEqual([line]);
  });

  it.each([
    ['a text that is empty', z.string().min(1), '""', 'it is empty, a text is wanted'],
    ['a whole number', z.int(), '1.5', 'it is 1.5, a whole number is wanted'],
    ['a flag', z.boolean(), '"yes"', 'it is "yes", true or false is wanted'],
    ['an address', z.url(), 'x', 'it is "x", an address such as https://host is wanted'],
    ['a date', z.coerce.date(), 'soon', 'it is "soon", a date is wanted'],
    ['a number out of a text', z.coerce.number(), 'ten', 'it is "ten", a number is wanted'],
    ['a multiple', z.number().multipleOf(5), '3', 'it is 3, a multiple of 5 is wanted'],
    [
      'a short list',
      z.array(z.int()).min(2),
      '[1]',
      'it is a list, a list of at least 2 is wanted',
    ],
    [
      'a choice',
      z.enum(['debug', 'info']),
      'inof',
      'it is "inof", one of debug, info is wanted, did you mean "info"?',
    ],
    [
      'alternatives',
      z.union([z.boolean(), z.strictObject({ a: z.int() })]),
      '3',
      'it is 3, true or false or a group of settings is wanted',
    ],
  ])('puts %s in plain words', (_what, schema, value, words) => {
    expect(problemsOf(z.looseObject({ v: schema }), `v: ${value}`)).toEqual([
      `a.yaml:1:1: Cannot use "v": ${words}`,
    ]);
  });
});

describe("readAs of a schema's own words", () => {
  it.each([
    ['the name of a thing', z.string().regex(/^a/, 'an a'), 'b', 'it is "b", an a is wanted'],
    ['a sentence', z.number().min(2, 'it must grow'), '1', 'it is 1: it must grow'],
    [
      'a sentence that begins as a name does',
      z.number().refine((value) => value > 1, 'the slow one must be above the fast one'),
      '1',
      'it is 1: the slow one must be above the fast one',
    ],
    ['a word', z.number().min(2, 'too small'), '1', 'it is 1: too small'],
  ])('takes %s', (_what, schema, value, words) => {
    expect(problemsOf(z.looseObject({ v: schema }), `v: ${value}`)).toEqual([
      `a.yaml:1:1: Cannot use "v": ${words}`,
    ]);
  });
});

describe('readAs of a deployment', () => {
  it('names an unknown key with its place and the key that was meant', () => {
    const text = `${SOUND}risk:\n  orderValueMx: 3\n`;
    expect(problemsOf(deploymentSchema, text)).toEqual([
      'a.yaml:7:3: Cannot use key "risk.orderValueMx": it is unknown, did you mean "orderValueMax"?',
    ]);
  });

  it('names the place of a market that is listed twice', () => {
    const text = SOUND.replace('[btc_usdt]', '[btc_usdt, eth_usdt, btc_usdt]').replace(
      'use: grid',
      'use: grid, markets: [eth_usdt, eth_usdt]',
    );
    expect(problemsOf(deploymentSchema, text)).toEqual([
      'a.yaml:4:31: Cannot use "markets[2]": it is "btc_usdt", which the list has already, each once is wanted',
      'a.yaml:5:47: Cannot use "strategies[0].markets[1]": it is "eth_usdt", which the list has already, each once is wanted',
    ]);
  });

  it('lists what is known where nothing is near', () => {
    const [line] = problemsOf(deploymentSchema, `${SOUND}log: { qqqqq: 1 }`);
    expect(line).toContain('it is unknown, one of level, format is wanted');
  });

  it.each([
    ['0.5', 'it is 0.5, a text is wanted, in quotes: "0.5"'],
    ['1e-8', 'it is 1e-8, a text is wanted, in quotes: "0.00000001"'],
    ['10000.50', 'it is 10000.5, a text is wanted, in quotes: "10000.5"'],
    ['0.12345678901234567891', 'it is 0.12345678901234568, a text is wanted, in quotes'],
    ['-1', 'it is -1, a text is wanted'],
    ['.inf', 'it is Infinity, a text is wanted'],
    ['true', 'it is true, a text is wanted'],
  ])('says how an amount is quoted that came as %s', (amount, words) => {
    const places = {
      'backtest.balances.usdt': `${SOUND}backtest: { balances: { usdt: ${amount} } }`,
      'venue.accounts[0].balances.usdt': SOUND.replace(
        'kind: simulated',
        `kind: simulated, accounts: [{ name: a, balances: { usdt: ${amount} } }]`,
      ),
    };
    for (const [path, text] of Object.entries(places)) {
      const [line = ''] = problemsOf(deploymentSchema, text);
      expect(line.slice(line.indexOf('Cannot '))).toBe(`Cannot use "${path}": ${words}`);
    }
  });

  it('judges a venue by its kind, and a kind by those there are', () => {
    const text = SOUND.replace('kind: simulated', 'kind: simulated, dataUrl: x');
    expect(problemsOf(deploymentSchema, text)[0]).toContain('"venue.dataUrl": it is unknown');
    expect(problemsOf(deploymentSchema, SOUND.replace('simulated', 'zbb'))[0]).toContain(
      '"venue.kind": it is "zbb", one of zb, simulated is wanted, did you mean "zb"?',
    );
  });

  it('tells all problems at once, in the order of the file', () => {
    const text = `${SOUND}log: { level: x }\nrisk: { orderValueMax: -1 }\nfees: { maker: 1 }\n`;
    const places = problemsOf(deploymentSchema, text).map((line) => line.split(':')[1]);
    expect(places).toEqual(['6', '7', '8']);
  });

  it.each([
    ['markets', 'btc_usd', 'did you mean "btc_usdt"?'],
    ['currencies', 'qc', 'one of usdt is wanted'],
  ])('refuses limits of %s that the deployment does not trade', (section, key, hint) => {
    const text = `${SOUND}risk:\n  ${section}:\n    ${key}: {}\n`;
    expect(problemsOf(deploymentSchema, text)).toEqual([
      `a.yaml:8:5: Cannot use "risk.${section}.${key}": it is not traded by this deployment, ${hint}`,
    ]);
  });

  it('never shows a secret', () => {
    const zb = 'kind: zb, accessKey: hush, secretKey: { env: 123456 }';
    const deployment = problemsOf(deploymentSchema, SOUND.replace('kind: simulated', zb));
    const exchange = problemsOf(servedExchangeSchema, 'server: { keys: [{ secretKey: 123456 }] }');
    const text = [...deployment, ...exchange].join('\n');
    expect(text).toContain('secretKey');
    expect(text).not.toMatch(/hush|123456/);
  });
});

describe('readAs of a deployment, of limits that markets share,', () => {
  it('refuses groups of markets that it does not trade, or that cannot be added up', () => {
    const text = `${SOUND.replace('btc_usdt', 'btc_usdt, eth_btc')}risk:
  groups:
    coins: { exposureMax: 1, markets: [btc_usdt, eth_btc, btc_usdt] }
    others: { exposureMax: 1, markets: [btc_usd, eth_btc] }
`;
    expect(problemsOf(deploymentSchema, text)).toEqual([
      'a.yaml:8:50: Cannot use "risk.groups.coins.markets[1]": it is "eth_btc", a market quoted in usdt like btc_usdt is wanted',
      'a.yaml:8:59: Cannot use "risk.groups.coins.markets[2]": it is "btc_usdt", which the list has already, each once is wanted',
      'a.yaml:9:41: Cannot use "risk.groups.others.markets[0]": it is "btc_usd", which is not traded by this deployment, did you mean "btc_usdt"?',
    ]);
  });
});

describe('readAs of a backtest', () => {
  it('names the kind of a group that has a key of another one', () => {
    const fill = 'fill: { model: depth, at: nextOpen }';
    const [line] = problemsOf(
      deploymentSchema,
      `${SOUND}backtest: { balances: { usdt: "1" }, ${fill} }`,
    );
    expect(line).toBe(
      'a.yaml:6:60: Cannot use key "backtest.fill.at": it is unknown here, ' +
        'it belongs to another kind than model: depth',
    );
  });

  it('says how an amount of a command line is quoted so that the shell leaves it', () => {
    const text = `${SOUND}backtest: { balances: { usdt: "5" } }`;
    const [line] = problemsOf(deploymentSchema, text, ['backtest.balances.usdt=100']);
    expect(line).toBe(
      '--set backtest.balances.usdt: Cannot use "backtest.balances.usdt": it is 100, a text is wanted, ' +
        `in quotes that the shell leaves alone: --set 'backtest.balances.usdt="100"'`,
    );
  });
});

describe('readAs of a venue', () => {
  it('says of a venue what is missing, by its name', () => {
    const text = problemsOf(deploymentSchema, 'venue: { kind: zb, secretKey: { ENV: X } }').join(
      '\n',
    );
    const reference = 'a reference { env: NAME } to an environment variable is wanted';
    expect(text).toContain(`Cannot use "venue.accessKey": it is missing, ${reference}`);
    expect(text).toContain('Cannot use "venue.secretKey.env": it is missing, a text is wanted');
    expect(text).toContain('Cannot use "venue.tradeUrl": it is missing, an address that begins');
  });
});

describe('readAs of a key that a backtest alone knows', () => {
  it.each([
    ['fees', 'venue: { kind: simulated }\nfees: { perOrder: 1 }'],
    ['venue.fees', 'venue: { kind: simulated, fees: { perOrder: 1 } }'],
  ])('leads from %s to it', (section, text) => {
    const rest = SOUND.replace('venue: { kind: simulated }\n', '');
    const [problem, ...others] = problemsOf(deploymentSchema, `${rest}${text}\n`);
    expect(problem?.split(': ').slice(1).join(': ')).toBe(
      `Cannot use key "${section}.perOrder": it is unknown here, a backtest alone knows it: ` +
        '"backtest.fees.perOrder" is wanted',
    );
    expect(others).toEqual([]);
  });
});

describe('readPart', () => {
  it('places the problems of a part where it stands in the file', () => {
    const yaml = parseYaml('a.yaml', 'list:\n  - params:\n      fst: 3\n');
    const part = { yaml, at: ['list', 0, 'params'], value: { fst: 3 } };
    const schema = z.strictObject({ fast: z.number().default(1) });
    expect(() => readPart(schema, part)).toThrow(
      'a.yaml:3:7: Cannot use key "list[0].params.fst": it is unknown, did you mean "fast"?',
    );
  });

  it('says of a group without keys that it takes none', () => {
    const yaml = parseYaml('a.yaml', 'list:\n  - params:\n      fst: 3\n');
    const part = { yaml, at: ['list', 0, 'params'], value: { fst: 3 } };
    expect(() => readPart(z.strictObject({}), part)).toThrow('it is unknown, none is wanted');
  });
});
