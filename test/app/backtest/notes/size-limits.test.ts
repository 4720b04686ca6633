import { describe, expect, it } from 'vitest';
import { SizeLimits } from '../../../../src/app/backtest/notes/size-limits.ts';
import type { TradingEvent } from '../../../../src/domain/index.ts';
import { Bus } from '../../../../src/kernel/index.ts';
import { riskConfigSchema } from '../../../../src/risk/index.ts';

const MARKET = 'btc_usdt';

function fixture(settings: object = {}) {
  const bus = new Bus<TradingEvent>();
  const limits = new SizeLimits(bus, riskConfigSchema.parse(settings));
  const [time, strategy] = [0, 'maker'];
  return {
    limits,
    targets: (slippage = 0) => {
      const intent = { kind: 'target', market: MARKET, position: 1, slippage } as const;
      bus.publish({ kind: 'intent', time, market: MARKET, strategy, intent });
    },
    refused: (code: string, observed: string) => {
      const refusal = { code, observed, limit: 'less', scope: 'order' } as const;
      bus.publish({ kind: 'refusal', time, market: MARKET, strategy, refusal });
    },
  };
}

describe('SizeLimits', () => {
  it('tells all limits that the largest refused order does not pass, and what it passes', () => {
    const { limits, refused } = fixture({ markets: { btc_usdt: { openValueMax: 600 } } });
    for (const worth of ['420.5', '701', '99.5']) refused('aboveMaximum', `${worth} usdt`);
    expect(limits.notes()).toEqual([
      'The orders refused in btc_usdt exceed several limits: risk.orderValueMax (100), ' +
        'risk.markets.btc_usdt.openValueMax (600). --set risk.orderValueMax=710 --set ' +
        'risk.markets.btc_usdt.openValueMax=710 raises all of them far enough.',
    ]);
  });

  it('takes a target for one order, and other wishes for what their orders are', () => {
    const [ofTarget, ofQuotes] = [fixture(), fixture()];
    ofTarget.targets();
    for (const { refused } of [ofTarget, ofQuotes])
      refused('position', 'long 1 btc, worth 2000 usdt');
    expect(ofTarget.limits.notes()).toEqual([expect.stringContaining('risk.orderValueMax=2100')]);
    expect(ofQuotes.limits.notes()).toEqual([]);
  });

  it('takes the order of a target for as dear as its slippage lets it be', () => {
    const { limits, targets, refused } = fixture();
    targets(0.002);
    refused('position', 'long 1 btc, worth 1999 usdt');
    expect(limits.notes()).toEqual([expect.stringContaining('risk.orderValueMax=2100')]);
  });

  it('says nothing where one limit is too small, which its refusal names, or another is it', () => {
    const { limits, refused } = fixture();
    refused('aboveMaximum', '300 usdt');
    refused('aboveMaximum', '3000 btc');
    refused('collar', '5000 usdt');
    refused('position', 'long 1 btc, worth an unknown value');
    expect(limits.notes()).toEqual([]);
  });
});
