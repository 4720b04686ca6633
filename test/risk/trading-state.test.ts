import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../src/kernel/index.ts';
import { TradingStateControl, type TradingStateOptions } from '../../src/risk/index.ts';

function makeControl(initial?: TradingStateOptions['initial']) {
  const bus = new Bus<TradingEvent>();
  const told: string[] = [];
  bus.on('tradingState').subscribe(({ state, reason }) => told.push(`${state}: ${reason}`));
  const clock = new VirtualClock();
  const control = new TradingStateControl({ clock, bus, ...(initial && { initial }) });
  return { control, told };
}

describe('TradingStateControl', () => {
  it('tightens, publishes each change and ignores what would loosen', () => {
    const { control, told } = makeControl();
    expect(control.state).toBe('ACTIVE');
    const did = [
      control.set('REDUCING', 'a'),
      control.set('REDUCING', 'b'),
      control.set('ACTIVE', 'c'),
      control.set('HALTED', 'd'),
      control.set('REDUCING', 'e'),
    ];
    expect(did).toEqual([true, false, false, true, false]);
    expect(told).toEqual(['REDUCING: a', 'HALTED: d']);
    expect(control.reason).toBe('d');
  });

  it('is reset by a person', () => {
    const { control, told } = makeControl();
    control.set('HALTED', 'loss');
    control.reset('looked into it');
    expect([control.state, control.reason]).toEqual(['ACTIVE', 'looked into it']);
    expect(told.at(-1)).toBe('ACTIVE: looked into it');
  });

  it('takes over what an earlier run left', () => {
    const { control, told } = makeControl({ state: 'HALTED', reason: 'daily loss' });
    expect([control.state, control.reason]).toEqual(['HALTED', 'daily loss']);
    expect(told).toEqual([]);
  });
});
