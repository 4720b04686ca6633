import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PUBLIC_PATHS, pathOf } from '../../../../src/venues/zb/wire/index.ts';
import { METHODS } from '../../../../src/venues/zb/wire/methods.ts';

const CONTRACT = new URL('../../../../../shared/exchange-api.md', import.meta.url);
/** What stands in for the contract where it is not at hand. */
const EXCERPT = `
| GET /data/v1/depth | x |
| Operation (method) | x |
|---|---|
| getAccountInfo | x |
| withdraw | x |
Notes:
3. Parameters, paths and responses of setExpressState and setRepayState
`;
const contract = existsSync(CONTRACT) ? readFileSync(CONTRACT, 'utf8') : EXCERPT;

describe('the operations of the contract', () => {
  const table = contract.split('| Operation (method)')[1]!.split('Notes:')[0]!;
  const signed = [...table.matchAll(/^\| (\w+) \|/gm)].map(([, name]) => name!);

  test('that are signed are all known', () => {
    expect(signed.length).toBeGreaterThanOrEqual(2);
    expect(METHODS).toEqual(
      expect.arrayContaining([...signed, 'setExpressState', 'setRepayState']),
    );
    expect(pathOf('order')).toBe('/api/order');
  });

  test('that are public all have their path', () => {
    const paths = [...contract.matchAll(/GET (\/data\/v1\/\w+)/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(0);
    expect(Object.values(PUBLIC_PATHS)).toEqual(expect.arrayContaining(paths));
  });
});
