import { describe, expect, it } from 'vitest';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { Grace } from '../../../src/execution/truth/grace.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { ADOPTED } from '../../../src/ledger/index.ts';
import { makeOpen } from '../../domain/fixture.ts';

const GRACE_MS = 30_000;

function createGrace(settings: { foreignOrders?: 'adopt' | 'cancel' } = {}) {
  const clock = new VirtualClock(1_000);
  const config = executionConfigSchema.parse({ restoredGraceMs: GRACE_MS, ...settings });
  let hasDecided = false;
  const grace = new Grace({ clock, config }, { hasDecided: () => hasDecided });
  const wish = () => {
    hasDecided = true;
  };
  return { clock, grace, wish };
}

const order = makeOpen({ clientOrderId: 'left', createdTime: 500 });

describe('Grace', () => {
  it('lets orders of an earlier run rest for a while, and no others', () => {
    const { clock, grace } = createGrace();
    grace.restore('left');
    expect(grace.mayRest(order)).toBe(true);
    expect(grace.mayRest(makeOpen({ clientOrderId: 'other' }))).toBe(false);
    clock.advanceTo(1_000 + GRACE_MS);
    expect(grace.mayRest(order)).toBe(false);
  });

  it('is over for an order that its strategy has decided about', () => {
    const { grace, wish } = createGrace();
    grace.restore('left');
    wish();
    expect(grace.mayRest(order)).toBe(false);
  });

  it('is over for an order that an exit needs gone', () => {
    const { grace } = createGrace();
    for (const id of ['left', 'other']) grace.restore(id);
    grace.end(order);
    expect(grace.mayRest(order)).toBe(false);
    expect(grace.mayRest({ ...order, clientOrderId: 'other' })).toBe(true);
  });

  it('says once that it is over, and when it will be', () => {
    const { grace } = createGrace();
    expect(grace.nextMs).toBe(Number.POSITIVE_INFINITY);
    grace.restore('left');
    const endMs = 1_000 + GRACE_MS;
    expect([grace.nextMs, grace.ends(endMs - 1)]).toEqual([endMs, false]);
    expect([grace.ends(endMs), grace.ends(endMs), grace.nextMs]).toEqual([
      true,
      false,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('lets orders of others rest where they are adopted, until all is cleared', () => {
    const foreign = makeOpen({ strategy: ADOPTED, createdTime: 900 });
    expect(createGrace({ foreignOrders: 'cancel' }).grace.mayRest(foreign)).toBe(false);
    const { grace } = createGrace({ foreignOrders: 'adopt' });
    expect(grace.mayRest(foreign)).toBe(true);
    grace.clear();
    expect(grace.mayRest(foreign)).toBe(false);
  });

  it('lets nothing rest once it is closed, whenever it is taken over', () => {
    const { grace } = createGrace({ foreignOrders: 'adopt' });
    grace.close();
    grace.clear();
    const foreign = makeOpen({ strategy: ADOPTED, createdTime: 5_000 });
    expect(grace.mayRest(foreign)).toBe(false);
  });

  it.each(['maker', ADOPTED])(
    'clears what an earlier run made of %s, though the date was set back since',
    (strategy) => {
      const ahead = makeOpen({ clientOrderId: 'left', strategy, createdTime: 86_400_000 });
      const { grace } = createGrace({ foreignOrders: 'adopt' });
      grace.restore('left');
      expect(grace.mayRest(ahead)).toBe(true);
      grace.clear();
      expect(grace.mayRest(ahead)).toBe(false);
    },
  );
});
