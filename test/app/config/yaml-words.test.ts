import { expect, it } from 'vitest';
import { parseYaml } from '../../../src/app/config/yaml.ts';

function complaintOf(text: string): string {
  try {
    parseYaml('a.yaml', text);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'none';
}

it.each([
  ['name: a\nstrategies\n  - use: x\n', 'a.yaml:2:1', 'a key without a colon stands here'],
  ['a:b\nc: 1\n', 'a.yaml:1:1', 'with a blank behind the colon'],
  ['name: a: b\n', 'a.yaml:1:7', 'this value holds a colon'],
  ['a: 1\n  b: 2\n', 'a.yaml:1:4', 'the line below it is indented too far'],
  ['a:\n\tb: 1\n', 'a.yaml:2:1', 'a tab indents this line, blanks are wanted'],
  ['a:\n    b: 1\n  c: 2\n', 'a.yaml:3:1', 'indented like none of the keys above'],
  ['a: {b: 1 c: 2}\n', 'a.yaml:1:8', 'a comma is missing before this'],
  ['a: [b, c\nd: 1\n', 'a.yaml:2:1', 'not closed, a ] is wanted'],
  ['a: {b: 1\n', 'a.yaml:2:1', 'not closed, a } is wanted'],
  ['a: @x\n', 'a.yaml:1:4', 'Plain value cannot start with reserved character @'],
])('parserWords tell who wrote %j what is wrong', (text, place, words) => {
  const told = complaintOf(text);
  expect(told).toContain(`${place}: Cannot read YAML: `);
  expect(told).toContain(words);
  expect(told).not.toMatch(/at line \d/);
});
