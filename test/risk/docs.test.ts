import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explain, REFUSAL_CODES, riskConfigSchema } from '../../src/risk/index.ts';

const PAGE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const CHAPTER = PAGE.slice(PAGE.indexOf('## What risk refuses'), PAGE.indexOf('## All settings'));
const SETTING = /`((?:\w+(?:Max|Min|Ms|Fraction|Action|FreeOrders|Fills))|blackouts|groups)`/g;
const ROWS = [...CHAPTER.matchAll(/^\| `(\w+)` \| ([^|]+) \|(.*)\|$/gm)];

describe('docs/configuration.md', () => {
  it('tells of every refusal what `explain` does, in the order of the checks', () => {
    const refusal = { limit: 'most', observed: 'seen', scope: 'order' } as const;
    const told = ROWS.map(([, code, meaning]) => [code, `${meaning} (order: seen; limit: most).`]);
    const meant = REFUSAL_CODES.map((code) => [code, explain({ code, ...refusal })]);
    expect(told).toEqual(meant);
  });

  it('names every setting of risk beside what it limits, and none that there is not', () => {
    const named = new Set([...CHAPTER.matchAll(SETTING)].map(([, name]) => name!));
    const { currencies, markets, ...limits } = riskConfigSchema.shape;
    expect([...named].sort()).toEqual(Object.keys(limits).sort());
  });
});
