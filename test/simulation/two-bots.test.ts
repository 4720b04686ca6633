import { describe, expect, it } from 'vitest';
import { type Policy, TwoBots } from './two-bots.ts';

/** Runs a seed of two bots on one account, each with its policy on orders that it does not know. */
function run(seed: number, policies: readonly [Policy, Policy]): TwoBots {
  const two = new TwoBots(seed, { policies });
  try {
    two.run();
    return two;
  } catch (thrown) {
    const events = two.seats.map(({ name, world }) => `${name}\n${world.lastEvents}`);
    const story = [...two.log, ...events].join('\n');
    throw new Error(`Cannot keep the invariants with seed ${seed}: ${thrown}\n${story}`, {
      cause: thrown,
    });
  }
}

function saysOf({ seats }: TwoBots, seat: 0 | 1): string {
  return [...seats[seat].warnings].join('\n');
}

describe('two bots on one account, each with a journal of its own', () => {
  it('leave each other alone where they are to, and hold what their own orders brought', () => {
    const two = run(2, ['ignore', 'ignore']);
    for (const seat of [0, 1] as const) {
      expect(two.seats[seat].cancelled).toEqual([]);
      expect(saysOf(two, seat)).toContain('are left alone (executor.foreignOrders)');
    }
  }, 120_000);

  it('know their own orders where one takes over what the other places', () => {
    const two = run(2, ['ignore', 'adopt']);
    expect(two.seats[0].cancelled).toEqual([]);
    expect(saysOf(two, 1)).toContain('are taken over (executor.foreignOrders)');
  }, 120_000);

  it('say what goes on where one cancels what the other places', () => {
    const two = run(2, ['cancel', 'ignore']);
    expect(two.seats[0].cancelled.length).toBeGreaterThan(0);
    expect(saysOf(two, 0)).toContain('are cancelled (executor.foreignOrders)');
    expect(saysOf(two, 1)).toContain('cancelled, not by this run');
  }, 120_000);

  it('halt, and say why, where they trade alike: each looks like copies of the other', () => {
    const policies = ['ignore', 'ignore'] as const;
    const two = new TwoBots(1, { policies, strategy: 'market-maker', positionMax: 0.05 });
    expect(() => two.run()).toThrow(/the (first|second) is halted at \d+ twins/);
    expect(saysOf(two, 0) + saysOf(two, 1)).toContain(
      'or another bot on this account trades as we do',
    );
  }, 120_000);
});
