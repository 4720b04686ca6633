import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { overridden } from '../../../src/app/config/overrides.ts';
import { parseYaml } from '../../../src/app/config/yaml.ts';
import { AppError } from '../../../src/app/errors.ts';
import { definitionName } from '../../../src/app/strategies/load-strategies.ts';
import { scratchFile } from '../fixture.ts';

const TEXT = `name: demo
strategies:
  - use: grid
    name: tight
  - &cross
    use: ema-cross
    params: { fast: 3 }
  - <<: *cross
    use: ./my/dip.ts
markets: [btc_usdt, eth_usdt]
risk: { orderValueMax: 5 }
empty: []
alone: [{ use: maker }]
`;
const YAML = parseYaml('a.yaml', TEXT);

const valueWith = (...settings: string[]) => overridden(YAML, settings).value as object;

function failureOf(setting: string): AppError {
  try {
    overridden(YAML, [setting]);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
  }
  throw new Error(`${setting} was taken`);
}

describe('overridden', () => {
  it.each([
    ['risk.orderValueMax=7.5', { risk: { orderValueMax: 7.5 } }],
    ['risk.orderValueMax=null', { risk: { orderValueMax: null } }],
    ['risk.orderValueMax="7"', { risk: { orderValueMax: '7' } }],
    ['risk={a: [1, true]}', { risk: { a: [1, true] } }],
    ['new=a=b', { new: 'a=b' }],
    ['name=', { name: null }],
    ['markets[1]=xrp_usdt', { markets: ['btc_usdt', 'xrp_usdt'] }],
    ['markets.0=xrp_usdt', { markets: ['xrp_usdt', 'eth_usdt'] }],
    ['new.group.key=1', { new: { group: { key: 1 } } }],
    ['name.key=1', { name: { key: 1 } }],
  ])('takes %s', (setting, part) => {
    expect(valueWith(setting)).toEqual({ ...(YAML.value as object), ...part });
  });

  it.each(['strategies[1].params.fast=9', 'strategies.1.params.fast=9'])('finds %s', (setting) => {
    const { strategies } = valueWith(setting) as { strategies: object[] };
    expect(strategies.map((one) => 'params' in one && one.params)).toEqual([
      ...[false, { fast: 9 }, { fast: 3 }],
    ]);
  });

  it('finds entries by the name that they go by, and changes no alias of them', () => {
    const { strategies } = valueWith(
      'strategies.tight.a=1',
      'strategies.ema-cross.params.fast=2',
      'strategies[./my/dip.ts].b=3',
    ) as { strategies: object[] };
    expect(strategies).toMatchObject([
      ...[{ a: 1 }, { params: { fast: 2 } }, { params: { fast: 3 }, b: 3 }],
    ]);
    expect(YAML.value).toMatchObject({ strategies: [{}, { params: { fast: 3 } }, {}] });
  });

  it('lets a later one go before an earlier, and count on it', () => {
    expect(valueWith('risk={a: 1}', 'risk.b=2', 'risk.b=3')).toMatchObject({
      risk: { a: 1, b: 3 },
    });
    expect(valueWith('empty=[{ name: one }]', 'empty.one.x=1')).toMatchObject({
      empty: [{ x: 1 }],
    });
  });

  it('finds an entry by the name that it had in the file, and by the one that it got', () => {
    const use = 'strategies.tight.use=./other.ts';
    const named = 'strategies.tight.name=loose';
    const at = (...settings: string[]) =>
      (valueWith(...settings) as { strategies: object[] }).strategies;
    expect(at(use, named, 'strategies.tight.a=1', 'strategies.loose.b=2')[0]).toEqual({
      ...{ use: './other.ts', name: 'loose', a: 1, b: 2 },
    });
    expect(at('strategies.ema-cross.use=./other.ts', 'strategies.ema-cross.a=1')[1]).toEqual({
      ...{ use: './other.ts', params: { fast: 3 }, a: 1 },
    });
    // Of a list that was set as a whole the names of the file are no names.
    expect(() => at('strategies=[{ use: grid }]', 'strategies.tight.a=1')).toThrow(AppError);
  });

  it('calls what it set as it was said', () => {
    const { calls } = overridden(YAML, ['strategies.tight.params.a=1', 'risk={ b: [2] }']);
    expect(calls?.(['strategies', 0, 'params', 'a'])).toBe('strategies.tight.params.a');
    expect(calls?.(['strategies', 0, 'params'])).toBe('strategies.tight.params');
    expect(calls?.(['risk', 'b', 0])).toBe('risk.b[0]');
    expect(calls?.(['strategies', 1, 'use'])).toBeUndefined();
  });

  it('keeps the journal under another name, but where the file or a setting names one', () => {
    const path = 'var/demo.journal';
    expect(valueWith('name=other')).toMatchObject({ name: 'other', journal: { path } });
    expect(valueWith('name=other', 'journal.keepDays=3')).toMatchObject({
      journal: { path, keepDays: 3 },
    });
    expect(valueWith('name=other', 'journal.path=a')).toMatchObject({ journal: { path: 'a' } });
    expect(valueWith('name=demo', 'risk.a=1')).not.toHaveProperty('journal');
  });

  it('is the file itself where nothing is set', () => {
    expect(overridden(YAML, [])).toBe(YAML);
  });
});

describe('overridden, of strategies by the names of their definitions,', () => {
  const text = (name: string): string =>
    `import { defineStrategy, EMPTY, z } from '#strategy';
     export default defineStrategy({ name: '${name}', params: z.object({}), run: () => EMPTY });`;

  /** The strategies of a file beside a module of that name, with a setting in place. */
  function strategiesWith(setting: string, entries = '[{ use: grid }, { use: ./my.ts }]') {
    const folder = join(scratchFile('my.ts', text('buy-dips')), '..');
    const yaml = parseYaml(join(folder, 'a.yaml'), `strategies: ${entries}`);
    return (overridden(yaml, [setting], { definitionName }).value as { strategies: object[] })
      .strategies;
  }

  it('finds one that is given by its path', () => {
    expect(strategiesWith('strategies.buy-dips.x=1')).toEqual([
      { use: 'grid' },
      { use: './my.ts', x: 1 },
    ]);
  });

  it('goes by the name that the settings give first', () => {
    const entries = '[{ use: ./my.ts }, { use: grid, name: buy-dips }, { use: ./my.ts, name: a }]';
    expect(strategiesWith('strategies.buy-dips.x=1', entries)).toMatchObject([
      { use: './my.ts' },
      { use: 'grid', x: 1 },
      { name: 'a' },
    ]);
  });

  it('names them so where there is no such entry, by the path where several share one', () => {
    const near = () => strategiesWith('strategies.buy-dip.x=1');
    expect(near).toThrow('did you mean "buy-dips"?');
    const shared = '[{ use: ./my.ts }, { use: ././my.ts }]';
    const known = './my.ts or ././my.ts (or its number, 0 to 1) is wanted';
    expect(() => strategiesWith('strategies.buy-dips.x=1', shared)).toThrow(known);
  });
});

describe('overridden, of what cannot be set,', () => {
  it.each([
    [
      'strategies.grid.a=1',
      'Cannot use "strategies[grid]": the list has no such entry, tight or ' +
        'ema-cross or ./my/dip.ts (or its number, 0 to 2) is wanted',
    ],
    [
      'strategies.tigth.a=1',
      'Cannot use "strategies[tigth]": the list has no such entry, did you mean "tight"?',
    ],
    [
      'strategies[3].a=1',
      'Cannot use "strategies[3]": the list has no such entry, tight or ' +
        'ema-cross or ./my/dip.ts (or its number, 0 to 2) is wanted',
    ],
    [
      'alone.ema.a=1',
      'Cannot use "alone[ema]": the list has no such entry, maker (or its number, 0) ' +
        'is wanted',
    ],
    [
      'markets[2]=1',
      'Cannot use "markets[2]": the list has no such entry, the number of an entry (0 to 1) ' +
        'is wanted',
    ],
    ['empty.0=1', 'Cannot use "empty[0]": the list has no such entry, an entry is wanted'],
    [
      'risk.orderValueMax=[1',
      'Cannot read YAML: what was opened before is not closed, a ] is wanted',
    ],
  ])('refuses %s as settings that are wrong', (setting, what) => {
    const { message, reason } = failureOf(setting);
    expect([reason, message]).toEqual(['configuration', `--set ${setting.split('=')[0]}: ${what}`]);
  });

  it.each(['risk', 'a..b=1', '=1', 'a[]=1', 'a[0]b=1', ''])(
    'refuses "%s" as no setting',
    (setting) => {
      const { message, reason } = failureOf(setting);
      expect(reason).toBe('usage');
      expect(message).toMatch(
        /^Cannot set ".*": a path and a value such as risk\.order.* are wanted$/,
      );
      expect(message).not.toContain('=1"');
    },
  );
});

describe('overridden, of the prototype of all,', () => {
  it('refuses it as a key', () => {
    const message = 'Cannot set "risk.__proto__.a": "__proto__" is no key, another one is wanted';
    expect(failureOf('risk.__proto__.a=1')).toMatchObject({ reason: 'usage', message });
  });
});

describe('overridden, of places,', () => {
  const yaml = overridden(YAML, ['risk.fast=1', 'strategies.tight.params.x={}', 'new.group.key=1']);

  it.each([
    [['risk', 'fast'], '--set risk.fast'],
    [['strategies', 0, 'params', 'x', 'y'], '--set strategies.tight.params.x'],
    [['strategies', 0, 'params'], '--set strategies.tight.params.x'],
    [['new'], '--set new.group.key'],
    [['risk'], 'a.yaml:11:1'],
    [['risk', 'orderValueMax'], 'a.yaml:11:9'],
    [['strategies', 1, 'params', 'fast'], 'a.yaml:7:15'],
    [[], 'a.yaml:1:1'],
  ])('tells that of %j', (path, place) => {
    expect(yaml.locate(path)).toBe(place);
  });

  it('tells that of a key of a value', () => {
    expect(yaml.locate(['risk'], 'fast')).toBe('--set risk.fast');
    expect(yaml.locate(['risk'], 'orderValueMax')).toBe('a.yaml:11:9');
  });
});
