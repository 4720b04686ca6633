import { describe, expect, it } from 'vitest';
import type { Intent, Refusal } from '../../src/domain/index.ts';
import { RefusedWishes } from '../../src/engine/refused-wishes.ts';

const STALE: Refusal = { code: 'staleData', limit: '', observed: '', scope: 'market' };
const HALTED: Refusal = { ...STALE, code: 'tradingState' };

function quotesIn(market = 'btc_usdt'): Intent {
  return { kind: 'quotes', market, bids: [], asks: [], postOnly: true };
}

function refusedWishes(...intents: Intent[]) {
  const wishes = new RefusedWishes();
  for (const intent of intents) wishes.keep('maker', { intent, refusal: STALE });
  const asked: Intent[] = [];
  const told: string[] = [];
  const retry = (answer: (intent: Intent) => Refusal | undefined = () => undefined) =>
    wishes.retry(
      (_strategy, intent) => {
        asked.push(intent);
        return answer(intent);
      },
      (_strategy, { refusal }) => told.push(refusal.code),
    );
  return { wishes, asked, told, retry };
}

describe('RefusedWishes', () => {
  it('puts a wish forward until it passes, then no more', () => {
    const wish = quotesIn();
    const { asked, retry } = refusedWishes(wish);
    retry(() => STALE);
    retry(() => STALE);
    retry();
    retry();
    expect(asked).toEqual([wish, wish, wish]);
  });

  it('tells a refusal again only where the reason is another one', () => {
    const { told, retry } = refusedWishes(quotesIn());
    retry(() => STALE);
    retry(() => HALTED);
    retry(() => HALTED);
    expect(told).toEqual(['tradingState']);
  });

  it('forgets what a new wish of that market replaces, a target too', () => {
    const { wishes, asked, retry } = refusedWishes(quotesIn(), quotesIn('eth_usdt'));
    const target = {
      kind: 'target',
      market: 'btc_usdt',
      position: 0 as never,
      slippage: 0,
    } as const;
    wishes.replaceBy('maker', target);
    wishes.replaceBy('other', quotesIn('eth_usdt'));
    retry();
    expect(asked).toEqual([quotesIn('eth_usdt')]);
  });

  it('gives way to a wish that comes while it is put forward', () => {
    const { wishes, asked, retry } = refusedWishes(quotesIn());
    retry(() => {
      wishes.replaceBy('maker', quotesIn());
      return STALE;
    });
    retry();
    expect(asked).toHaveLength(1);
  });

  it('keeps neither single orders nor what a strategy that is over wished', () => {
    const cancel: Intent = { kind: 'cancel', market: 'btc_usdt', tag: 'a' };
    const { wishes, asked, retry } = refusedWishes(cancel, quotesIn());
    wishes.drop('maker');
    retry();
    expect(asked).toEqual([]);
  });
});
