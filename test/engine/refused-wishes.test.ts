import { describe, expect, it } from 'vitest';
import type { Intent, Quote, QuotesIntent, Refusal } from '../../src/domain/index.ts';
import { RefusedWishes } from '../../src/engine/refused-wishes.ts';
import { seal } from '../../src/risk/approved.ts';
import type { Verdict } from '../../src/risk/index.ts';

const STALE: Refusal = { code: 'staleData', limit: '', observed: '', scope: 'market' };
const HALTED: Refusal = { ...STALE, code: 'tradingState' };
const SHAPE: Refusal = { ...STALE, code: 'shape' };
const TARGET = { kind: 'target', market: 'btc_usdt', position: 0, slippage: 0 } as const;

function quotesIn(market = 'btc_usdt', levels = 2): Intent {
  const bids = Array.from({ length: levels }, (_, at) => ({ price: 99 - at, amount: 1 }) as Quote);
  return { kind: 'quotes', market, bids, asks: [], postOnly: true };
}

/** A verdict that refuses all but the first levels. */
function refused(refusal: Refusal, levels = 0): Verdict {
  return { approved: seal(quotesIn('btc_usdt', levels)), refusals: [refusal] };
}

function refusedWishes(...intents: Intent[]) {
  const wishes = new RefusedWishes();
  for (const intent of intents) wishes.keep('maker', { intent, verdict: refused(STALE) });
  const asked: Intent[] = [];
  const passed: Intent[] = [];
  const told: string[] = [];
  const all = (intent: Intent): Verdict => ({ approved: seal(intent), refusals: [] });
  const retry = (answer: (intent: Intent) => Verdict = all) => {
    const ask = (_strategy: string, intent: Intent) => {
      asked.push(intent);
      return answer(intent);
    };
    wishes.retry(ask, {
      passed: (_strategy, { value }) => passed.push(value),
      refused: (_strategy, { refusal }) => told.push(refusal.code),
    });
  };
  return { wishes, asked, passed, told, retry };
}

describe('RefusedWishes', () => {
  it('puts a wish forward until it passes, then no more', () => {
    const wish = quotesIn();
    const { asked, passed, retry } = refusedWishes(wish);
    retry(() => refused(STALE));
    retry(() => refused(STALE));
    retry();
    retry();
    expect(asked).toEqual([wish, wish, wish]);
    expect(passed).toEqual([wish]);
  });

  it('hands on what passes only where it is more than before', () => {
    const { passed, retry } = refusedWishes(quotesIn());
    retry(() => refused(STALE, 1));
    retry(() => refused(STALE, 1));
    retry(() => refused(HALTED));
    retry(() => refused(STALE, 1));
    retry();
    expect(passed).toEqual([quotesIn('btc_usdt', 1), quotesIn()]);
  });

  it('tells a refusal again only where the reason is another one', () => {
    const { told, retry } = refusedWishes(quotesIn());
    retry(() => refused(STALE));
    retry(() => refused(HALTED));
    retry(() => refused(HALTED));
    expect(told).toEqual(['tradingState']);
  });

  it('tells of the shape of a target once: no other state of things lets it pass', () => {
    const target = { ...TARGET, position: 0.000_03 };
    const { wishes, asked, told, retry } = refusedWishes(target);
    retry(() => refused(SHAPE));
    retry(() => refused(HALTED));
    retry(() => refused(SHAPE));
    expect([asked, told]).toEqual([[target], ['shape']]);
    expect([...wishes.replaceBy('maker', target)]).toEqual(['shape']);
  });

  it('remembers for the next wish which refusals are no news', () => {
    const { wishes } = refusedWishes(quotesIn());
    expect([...wishes.replaceBy('maker', quotesIn())]).toEqual(['staleData']);
    expect([...wishes.replaceBy('maker', quotesIn())]).toEqual([]);
  });

  it('forgets what a new wish of that market replaces, a target too', () => {
    const { wishes, asked, retry } = refusedWishes(quotesIn(), quotesIn('eth_usdt'));
    wishes.replaceBy('maker', TARGET);
    wishes.replaceBy('other', quotesIn('eth_usdt'));
    retry();
    expect(asked).toEqual([quotesIn('eth_usdt')]);
  });

  it('gives way to a wish that comes while it is put forward', () => {
    const { wishes, asked, retry } = refusedWishes(quotesIn());
    retry(() => {
      wishes.replaceBy('maker', quotesIn());
      return refused(STALE);
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

describe('RefusedWishes.retry', () => {
  it('hands on what passes in place of what did before, however much that is, once', () => {
    const sides = [
      { ...quotesIn(), asks: [] },
      { ...quotesIn(), bids: [], asks: [{ price: 101, amount: 1 } as Quote] },
    ] as readonly Intent[];
    const { passed, retry } = refusedWishes(quotesIn());
    for (const at of [0, 1, 0, 1]) {
      retry(() => ({ approved: seal(sides[at]!), refusals: [STALE] }));
    }
    expect(passed).toEqual(sides);
  });

  it('hands on a target that turns once all of it passes, behind its part to flat', () => {
    const to = (position: number): Intent => ({ ...TARGET, position });
    const { passed, retry } = refusedWishes(to(-1));
    retry(() => ({ approved: seal(to(0)), refusals: [STALE] }));
    retry(() => ({ approved: seal(to(0)), refusals: [STALE] }));
    retry();
    retry();
    expect(passed).toEqual([to(0), to(-1)]);
  });

  it('tells two quotes alike apart', () => {
    const [quote] = (quotesIn() as QuotesIntent).bids;
    const some = (count: number): Intent => ({
      ...(quotesIn() as QuotesIntent),
      bids: Array.from({ length: count }, () => quote!),
    });
    const { passed, retry } = refusedWishes(some(3));
    for (const count of [1, 2, 1, 2]) {
      retry(() => ({ approved: seal(some(count)), refusals: [STALE] }));
    }
    expect(passed).toEqual([some(1), some(2)]);
  });
});
