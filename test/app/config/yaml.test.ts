import { describe, expect, it, vi } from 'vitest';
import { Alias } from 'yaml';
import { parseValue, parseYaml, readYamlFile } from '../../../src/app/config/yaml.ts';
import { AppError } from '../../../src/app/errors.ts';
import { scratchFile } from '../fixture.ts';

const TEXT = `# a comment
name: demo
venue: { kind: zb }
strategies:
  - use: grid
  - use: ema-cross
    params:
      fast: 3
`;

function failureOf(read: () => unknown): AppError {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('it was read');
}

/** Lists of ten aliases of the list before, until nobody can hold them. */
function multiplying(): string {
  const list = (of: string) => `[${Array(10).fill(of).join(', ')}]`;
  const lists = ['b', 'c', 'd'].map((name, at) => `${name}: &${name} ${list(`*${'abc'[at]}`)}`);
  return [`a: &a ${list('1')}`, ...lists].join('\n');
}

describe('readYamlFile', () => {
  it.each<[string, (text: string) => Buffer]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 of the other order', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('reads %s, its places too', (_encoding, bytesOf) => {
    const file = scratchFile('a.yaml', bytesOf(TEXT.replace('demo', 'dämö')));
    const yaml = readYamlFile(file);
    expect(yaml.value).toMatchObject({ name: 'dämö', venue: { kind: 'zb' } });
    expect(yaml.locate(['venue', 'kind'])).toBe(`${file}:3:10`);
  });

  it.each(['dip.ts', 'dip.mjs'])('says of %s that it is code', (name) => {
    const file = scratchFile(name, "import { z } from '#strategy';\n");
    const is = `Cannot read ${file}: it is code, as of a strategy`;
    expect(() => readYamlFile(file)).toThrow(`${is}, a deployment (YAML) is wanted`);
    expect(() => readYamlFile(file, { wanted: 'a mapping' })).toThrow(
      `${is}, a mapping (YAML) is wanted`,
    );
  });
});

describe('parseYaml', () => {
  const yaml = parseYaml('a.yaml', TEXT);

  it('gives the value', () => {
    expect(yaml.value).toMatchObject({ name: 'demo', venue: { kind: 'zb' } });
  });

  it.each([
    [['name'], '2:1'],
    [['venue', 'kind'], '3:10'],
    [['strategies', 1], '6:5'],
    [['strategies', 1, 'params', 'fast'], '8:7'],
    [[], '2:1'],
  ])('locates %j', (path, place) => {
    expect(yaml.locate(path)).toBe(`a.yaml:${place}`);
  });

  it('locates a key of a value', () => {
    expect(yaml.locate(['strategies', 1, 'params'], 'fast')).toBe('a.yaml:8:7');
  });

  it('locates the deepest ancestor of what is not there', () => {
    expect(yaml.locate(['strategies', 1, 'params', 'slow'])).toBe('a.yaml:7:5');
    expect(yaml.locate(['strategies', 7])).toBe('a.yaml:4:1');
  });

  it('merges what stands under an anchor, whose own place is that of the entry', () => {
    const text = 'markets:\n  - &first { id: a, scale: 2 }\n  - { <<: *first, id: b }\n';
    const { value, locate } = parseYaml('a.yaml', text);
    expect(value).toEqual({
      markets: [
        { id: 'a', scale: 2 },
        { id: 'b', scale: 2 },
      ],
    });
    expect(locate(['markets', 1, 'id'])).toBe('a.yaml:3:19');
    expect(locate(['markets', 1, 'scale'])).toBe('a.yaml:3:5');
    expect(failureOf(() => parseYaml('a.yaml', 'a: { <<: 5 }')).message).toBe(
      'a.yaml:1:1: Cannot read YAML: Merge sources must be maps or map aliases',
    );
  });

  it('takes an empty file for an empty group', () => {
    expect(parseYaml('a.yaml', '').value).toEqual({});
  });

  it.each([
    ['a syntax error', 'a: [1\nb: 2', /^a\.yaml:2:\d+: Cannot read YAML: /],
    [
      'a key that occurs twice',
      'c: { a: 0 }\na: 1\na: 2',
      /^a\.yaml:3:1: Cannot read YAML: the key "a" stands at a\.yaml:2:1 already, each once is wanted$/,
    ],
    [
      'a key that is the prototype of all',
      'a:\n  __proto__: { b: 1 }',
      /^a\.yaml:2:3: Cannot read YAML: a key is "__proto__", which is none, another one is wanted$/,
    ],
    ['a tag that nobody knows', 'a: !secret b', /^a\.yaml:1:4: .*tag/],
    [
      'a second document',
      'a: 1\n---\nb: 2',
      /^a\.yaml:2:1: Cannot read YAML: a second document begins here, one alone is wanted$/,
    ],
    ['an alias of nothing', 'a: 1\nb: [*c, &c 2]', /^a\.yaml:2:5: Cannot read YAML: .* \*c has no/],
    ['aliases that multiply', multiplying(), /^a\.yaml:1:1: Cannot read YAML: Excessive alias/],
  ])('fails on %s with its place', (_what, text, message) => {
    const failure = expect.objectContaining({ reason: 'configuration' });
    expect(() => parseYaml('a.yaml', text)).toThrow(failure);
    expect(() => parseYaml('a.yaml', text)).toThrow(message);
  });
});

it('parseYaml looks each of many aliases up once', () => {
  const groups = Array.from({ length: 40 }, (_, at) => `- &a${at} ${at}\n- [*a${at}]\n`);
  const visits = vi.spyOn(Alias.prototype, 'resolve');
  expect(parseYaml('a.yaml', groups.join('')).value).toHaveLength(80);
  expect(visits).toHaveBeenCalledTimes(40);
  visits.mockRestore();
});

it('parseYaml holds no key of a large group against each of the others', () => {
  const keys = Array.from({ length: 200 }, (_, at) => `k${at}: ${at}\n`).join('');
  const passes = vi.spyOn(Array.prototype, 'some');
  const { value } = parseYaml('a.yaml', keys);
  expect(passes.mock.calls.length).toBeLessThan(100);
  passes.mockRestore();
  expect(value).toHaveProperty('k199', 199);
  expect(failureOf(() => parseYaml('a.yaml', `${keys}k0: 1`)).message).toBe(
    'a.yaml:201:1: Cannot read YAML: the key "k0" stands at a.yaml:1:1 already, each once is wanted',
  );
});

describe('parseYaml, of numbers with many digits,', () => {
  it('takes those that are exact, written as a double is, or have a point or an exponent', () => {
    const exact = [2 ** 53, 2 ** 70, 2 ** 60, 2 ** 63, 1e23, Math.PI];
    const texts = [
      ...[2n ** 53n, 2n ** 70n, '0x1000000000000000', String(2 ** 63), '1e23'],
      '3.14159265358979323846',
    ];
    expect(parseYaml('a.yaml', `[${texts}]`).value).toEqual(exact);
  });

  it.each([
    ['a: 1\nseed: 9007199254740993', '2:7'],
    ['{ -12345678901234567890: 1 }', '1:3'],
    ['seed: 0xDeadBeefCafeBabe', '1:7'],
    ['seed: 0o7777777777777777777', '1:7'],
    [`seed: ${'7'.repeat(400)}`, '1:7'],
  ])('takes no whole one that would be rounded, and does not tell it: %j', (text, place) => {
    const is = 'a whole number has more digits than are kept, one in quotes is wanted';
    const message = `a.yaml:${place}: Cannot read YAML: ${is}`;
    expect(failureOf(() => parseYaml('a.yaml', text))).toMatchObject({
      ...{ reason: 'configuration', message },
    });
  });
});

describe('parseValue', () => {
  it('gives the value', () => {
    expect(parseValue('--set a', '{ b: [&c 1, *c] }')).toEqual({ b: [1, 1] });
  });

  it.each([
    '*hunter2',
    '!hunter2 a',
    '!!int hunter2',
    '%hunter2\n---\na',
    '"\\hunter2"',
    '|hunter2',
    '[a]hunter2',
    '{ hunter2: 1, hunter2: 2 }',
    '12345678901234567890',
    multiplying().replaceAll('a', 'hunter2'),
  ])('tells nothing of what is wrong but that it is: %j', (text) => {
    const { reason, cause, message } = failureOf(() => parseValue('--set a', text));
    expect([reason, cause]).toEqual(['configuration', undefined]);
    expect(message).toMatch(/^--set a: Cannot read YAML: .* wanted$/);
    expect(message).not.toMatch(/hunter2|\\h|1234/);
  });
});
