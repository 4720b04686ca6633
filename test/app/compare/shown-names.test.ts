import { expect, it } from 'vitest';
import { shownNames, withShownNames } from '../../../src/app/compare/shown-names.ts';

const sourceOf = (settings: unknown) => ({ settings, metrics: undefined, definitions: new Map() });

it.each([
  ...[undefined, null, 'x', [], { strategies: null }, { strategies: 'x' }],
  ...[{ strategies: { a: 1 } }, { strategies: [null] }, { strategies: [{ name: 'a' }] }],
])('shownNames knows no names by settings that somebody has broken: %j', (settings) => {
  const { a } = shownNames(sourceOf(settings), sourceOf(settings));
  expect(a.size).toBe(0);
  expect(withShownNames(settings, a)).toBe(settings);
});
