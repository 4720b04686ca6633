import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import { limitsSchema } from '../../../../src/venues/zb/server/config.ts';
import { keyRing } from '../../../../src/venues/zb/server/keys.ts';
import { Limiter } from '../../../../src/venues/zb/server/limits.ts';
import { serverOperator } from '../../../../src/venues/zb/server/operator.ts';

function operated({ enforced = true }: { readonly enforced?: boolean } = {}) {
  const clock = new VirtualClock(1_000);
  const limiter = new Limiter(limitsSchema.parse({ enforced }));
  const permissions = { assets: true, orders: true, withdrawals: false, margin: false };
  const keys = keyRing([{ accessKey: 'a', secretKey: 'x', account: 'main', permissions }]);
  return { clock, limiter, keys, operator: serverOperator({ keys, limiter, clock }) };
}

describe('serverOperator', () => {
  it('locks an address for as long as told, whether or not limits are enforced', () => {
    for (const enforced of [true, false]) {
      const { operator, limiter, clock } = operated({ enforced });
      operator.lock('10.0.0.1', 500);
      expect([...operator.locks()]).toEqual([['10.0.0.1', 1_500]]);
      expect(limiter.isLocked('10.0.0.1', 1_499)).toBe(true);
      expect(limiter.isLocked('10.0.0.2', 1_499)).toBe(false);
      clock.advanceBy(500);
      expect(limiter.isLocked('10.0.0.1', clock.now())).toBe(false);
      expect([...operator.locks()]).toEqual([]);
    }
  });

  it('unlocks what is locked, the exchange’s own locks too', () => {
    const { operator, limiter } = operated();
    expect(operator.unlock('10.0.0.1')).toBe(false);
    while (!limiter.arrive('10.0.0.1', 1_000));
    expect([...operator.locks().keys()]).toEqual(['10.0.0.1']);
    expect(operator.unlock('10.0.0.1')).toBe(true);
    expect(limiter.isLocked('10.0.0.1', 1_000)).toBe(false);
  });

  it('unlocks an address for good: the requests that locked it count no more', () => {
    const { operator, limiter } = operated();
    while (!limiter.arrive('10.0.0.1', 1_000));
    operator.unlock('10.0.0.1');
    expect(limiter.arrive('10.0.0.1', 1_000)).toBe(false);
    expect(limiter.isLocked('10.0.0.1', 1_000)).toBe(false);
  });

  it('disables and enables a key, and knows which there are', () => {
    const { operator, keys } = operated();
    expect(operator.setDisabled('a', true)).toBe(true);
    expect(keys.get('a')?.disabled).toBe(true);
    expect(operator.keys).toMatchObject([{ accessKey: 'a', account: 'main', disabled: true }]);
    operator.setDisabled('a', false);
    expect(keys.get('a')?.disabled).toBe(false);
    expect(operator.setDisabled('b', true)).toBe(false);
  });
});
