import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/app/config/yaml.ts';

const TEXT = `# a comment
name: demo
venue: { kind: zb }
strategies:
  - use: grid
  - use: ema-cross
    params:
      fast: 3
`;

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

  it('takes an empty file for an empty group', () => {
    expect(parseYaml('a.yaml', '').value).toEqual({});
  });

  it.each([
    ['a syntax error', 'a: [1\nb: 2', /^a\.yaml:2:\d+: Cannot read YAML: /],
    ['a key that occurs twice', 'a: 1\na: 2', /^a\.yaml:2:1: .*unique/],
    ['a tag that nobody knows', 'a: !secret b', /^a\.yaml:1:4: .*tag/],
    ['a second document', 'a: 1\n---\nb: 2', /^a\.yaml:2:1: .*multiple documents/],
  ])('fails on %s with its place', (_what, text, message) => {
    expect(() => parseYaml('a.yaml', text)).toThrow(message);
  });
});
