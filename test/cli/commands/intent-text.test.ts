import { describe, expect, it } from 'vitest';
import { eventText } from '../../../src/cli/commands/intent-text.ts';

const told = { time: 0, strategy: 'maker' } as const;
const refusal = { code: 'balance', limit: '1', observed: '2', scope: 'account' } as const;

describe('eventText', () => {
  it('tells of a refusal and of the moment at which its strategy was told', () => {
    expect(eventText({ kind: 'refusal', ...told, market: 'btc_usdt', refusal })).toBe(
      'refusal btc_usdt balance, maker',
    );
    expect(eventText({ kind: 'timer', ...told, timer: -1 })).toBe('timer refusals told to maker');
    expect(eventText({ kind: 'timer', ...told, timer: 3 })).toBe('timer 3 of maker');
  });
});
