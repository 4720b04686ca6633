import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checksOf } from '../../src/risk/checks/index.ts';
import { FreeBalances } from '../../src/risk/free-balances.ts';
import { riskConfigSchema } from '../../src/risk/index.ts';
import { LossWatch } from '../../src/risk/loss-watch.ts';
import { OrderPace } from '../../src/risk/order-pace.ts';
import { makeRisk } from './fixture.ts';

const PAGE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const CHAPTER = PAGE.slice(PAGE.indexOf('## What risk refuses'), PAGE.indexOf('## All settings'));
const SETTING = /`((?:\w+(?:Max|Min|Ms|Fraction|Action|FreeOrders|Fills))|blackouts|groups)`/g;
const ROWS = [...CHAPTER.matchAll(/^\| `(\w+)` \| [^|]+ \|.*\|$/gm)];

describe('docs/configuration.md', () => {
  it('tells what the refusal of each check means, in the order in which they are asked', () => {
    const { view } = makeRisk();
    const [balances, losses] = [new FreeBalances(view), new LossWatch(view)];
    const parts = { balances, losses, pace: new OrderPace(view.config) };
    const codes = checksOf(view, parts).map(({ code }) => code);
    expect(ROWS.map(([, code]) => code)).toEqual(['unknownMarket', ...codes]);
  });

  it('names every setting of risk beside what it limits, and none that there is not', () => {
    const named = new Set([...CHAPTER.matchAll(SETTING)].map(([, name]) => name!));
    const { currencies, markets, ...limits } = riskConfigSchema.shape;
    expect([...named].sort()).toEqual(Object.keys(limits).sort());
  });
});
