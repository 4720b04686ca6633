import { expect, it } from 'vitest';
import { SIGNED_OPERATIONS } from '../../../../../src/venues/zb/server/operations/index.ts';
import { METHODS } from '../../../../../src/venues/zb/wire/methods.ts';

it('SIGNED_OPERATIONS are all that are signed', () => {
  expect([...SIGNED_OPERATIONS.keys()].sort()).toEqual([...METHODS].sort());
});
