import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/app/index.ts';
import { countedKind, eventText } from '../../../src/cli/commands/event-text.ts';
import { decisionText } from '../../../src/cli/commands/intent-text.ts';
import type { Amount, Price } from '../../../src/domain/index.ts';
import { orderEvent, orderOf } from '../../storage/events.ts';

const told = { time: 0, strategy: 'maker' } as const;
const refusal = { code: 'balance', limit: '1', observed: '2', scope: 'account' } as const;

describe('eventText', () => {
  it('tells of a refusal and of the moment at which its strategy was told', () => {
    expect(eventText({ kind: 'refusal', ...told, market: 'btc_usdt', refusal })).toBe(
      'refusal btc_usdt maker: balance, observed 2, limit 1',
    );
    expect(eventText({ kind: 'timer', ...told, timer: -1 })).toBe('timer refusals told to maker');
    expect(eventText({ kind: 'timer', ...told, timer: 3 })).toBe('timer 3 of maker');
  });

  it('tells how much of an exit that was cut leaves, and of which order', () => {
    const cut = { kind: 'refusal', ...told, market: 'btc_usdt', refusal, tag: 'x', left: 1e-7 };
    expect(eventText(cut as JournalEntry['event'])).toBe(
      'refusal btc_usdt maker (x): balance, observed 2, limit 1, 0.0000001 leaves',
    );
  });

  it('writes the lowest prices as plain digits', () => {
    const stamps = { exchangeTime: 0, receivedTime: 0 };
    const sides = { bids: [[1e-8, 5]], asks: [] } as const;
    const text = 'depth a_btc bid 0.00000001, ask none';
    expect(eventText({ kind: 'depth', market: 'a_btc', ...sides, ...stamps })).toBe(text);
    const target = { kind: 'target', market: 'a_btc', position: 1, slippage: 1e-7 } as const;
    const wish = { kind: 'intent', intent: target } as const;
    expect(decisionText(wish)).toBe('target a_btc 1, slippage 0.0000001');
    const limited = { ...target, priceLimit: 2e-8 as Price };
    expect(decisionText({ ...wish, intent: limited })).toBe('target a_btc 1, limit 0.00000002');
  });

  it('shows what is not seen of what somebody else worded', () => {
    const failed = { status: 'failed', reason: 'no\u001b[2J' } as const;
    const text = 'strategy maker failed: no\\u{1b}[2J';
    expect(eventText({ kind: 'strategy', ...told, ...failed })).toBe(text);
    expect(decisionText({ kind: 'over', ...failed })).toBe('failed: no\\u{1b}[2J');
  });

  it('tells why an order is in doubt, and what of it filled', () => {
    const order = orderOf({ status: 'unknown', exchangeOrderId: undefined, reason: 'timed out' });
    expect(eventText(orderEvent({ ...order, filledAmount: 0.002 as Amount }))).toBe(
      'order btc_usdt order1 unknown, buy 0.01 @ 42000.5 limit, 0.002 filled, maker bid1, by answer: timed out',
    );
  });
});

describe('countedKind', () => {
  it('counts events in words', () => {
    expect(countedKind('depth', 1)).toBe('1 book');
    expect(countedKind('balance', 1_103)).toBe('1,103 changes of balances');
  });
});
