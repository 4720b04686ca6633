import { expect, it } from 'vitest';
import { counted } from '../../src/kernel/index.ts';

it.each([
  [0, '0 rows'],
  [1, '1 row'],
  [2, '2 rows'],
  [0.5, '0.5 rows'],
])('counted tells %d with its noun: %s', (count, text) => {
  expect(counted(count, 'row')).toBe(text);
});
