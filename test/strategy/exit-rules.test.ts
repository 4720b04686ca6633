import { describe, expect, it } from 'vitest';
import {
  type ExitRules,
  protect,
  type StrategyContext,
  StrategyError,
} from '../../src/strategy/index.ts';

const context = {} as StrategyContext;

describe('the rules of protect', () => {
  it.each([
    [undefined, 'the rules are undefined, such as { stopLoss: 0.03 } are wanted'],
    [{}, 'no rule closes anything, one of stopLoss, takeProfit, trailing, holdMaxMs is wanted'],
    [
      { stopLoss: undefined, slippage: 0.01 },
      'no rule closes anything, one of stopLoss, takeProfit, trailing, holdMaxMs is wanted',
    ],
    [
      { stoploss: 0.03 },
      'the rule stoploss is not known, one of stopLoss, takeProfit, trailing, trailingFrom, ' +
        'holdMaxMs, slippage, reenterAfterMs is wanted',
    ],
    [{ stopLoss: 3 }, 'stopLoss is 3, a number above 0 and below 1 is wanted'],
    [{ stopLoss: 1 }, 'stopLoss is 1, a number above 0 and below 1 is wanted'],
    [{ stopLoss: 0 }, 'stopLoss is 0, a number above 0 and below 1 is wanted'],
    [{ stopLoss: -0.03 }, 'stopLoss is -0.03, a number above 0 and below 1 is wanted'],
    [{ stopLoss: Number.NaN }, 'stopLoss is NaN, a number above 0 and below 1 is wanted'],
    [{ stopLoss: '0.03' }, 'stopLoss is "0.03", a number above 0 and below 1 is wanted'],
    [{ trailing: 1 }, 'trailing is 1, a number above 0 and below 1 is wanted'],
    [{ takeProfit: 0 }, 'takeProfit is 0, a number above 0 is wanted'],
    [{ takeProfit: Infinity }, 'takeProfit is Infinity, a number above 0 is wanted'],
    [{ takeProfit: [] }, 'takeProfit is [], a number above 0 or a step is wanted'],
    [{ takeProfit: [0.04] }, 'takeProfit[0].afterMs is undefined, a number of 0 or more is wanted'],
    [{ takeProfit: [null] }, 'takeProfit[0].afterMs is undefined, a number of 0 or more is wanted'],
    [
      { takeProfit: { 0: 0.04, 30: 0.02 } },
      'takeProfit is {"0":0.04,"30":0.02}, a number above 0 or steps such as ' +
        '[{ afterMs: 0, profit: 0.04 }] are wanted',
    ],
    [
      { takeProfit: [{ afterMs: 0, profit: -1 }] },
      'takeProfit[0].profit is -1, a number above -1 is wanted',
    ],
    [
      {
        takeProfit: [
          { afterMs: 60, profit: 1 },
          { afterMs: 60, profit: 0 },
        ],
      },
      'takeProfit[1].afterMs is 60, a number above 60 is wanted',
    ],
    [{ holdMaxMs: -1 }, 'holdMaxMs is -1, a number above 0 is wanted'],
    [{ stopLoss: 0.1, reenterAfterMs: 0 }, 'reenterAfterMs is 0, a number above 0 is wanted'],
    [{ stopLoss: 0.1, slippage: 1 }, 'slippage is 1, a number of 0 or more and below 1 is wanted'],
    [
      { trailing: 0.1, trailingFrom: -0.1 },
      'trailingFrom is -0.1, a number of 0 or more is wanted',
    ],
    [
      { stopLoss: 0.1, trailingFrom: 0.1 },
      'trailingFrom is 0.1 without trailing, both or neither are wanted',
    ],
  ])('of %j are refused by name', (rules, message) => {
    expect(() => protect(context, rules as ExitRules)).toThrow(
      new StrategyError(`Cannot protect: ${message}`),
    );
  });

  it.each([
    { takeProfit: 2 },
    {
      stopLoss: [
        { fromProfit: 0, loss: 0.1 },
        { fromProfit: 0.02, loss: 0 },
        { fromProfit: 0.05, loss: -0.03 },
      ],
    },
    { stopLoss: [{ fromProfit: 0.05, loss: 0.03 }] },
    {
      takeProfit: [
        { afterMs: 0, profit: 0.04 },
        { afterMs: 60_000, profit: -0.01 },
      ],
    },
    { holdMaxMs: 1, slippage: 0 },
    { trailing: 0.02, trailingFrom: 0 },
    { stopLoss: 0.02, trailing: undefined, trailingFrom: 0 },
  ])('are taken as they are: %j', (rules) => {
    expect(() => protect(context, rules)).not.toThrow();
  });
});

describe('the steps of a stop-loss', () => {
  it.each([
    [
      { stopLoss: { 0: 0.1 } },
      'stopLoss is {"0":0.1}, a number above 0 or steps such as ' +
        '[{ fromProfit: 0, loss: 0.03 }] are wanted',
    ],
    [{ stopLoss: [] }, 'stopLoss is [], a number above 0 or a step is wanted'],
    [
      { stopLoss: [{ afterMs: 0, profit: 0.1 }] },
      'stopLoss[0].fromProfit is undefined, a number of 0 or more is wanted',
    ],
    [
      { stopLoss: [{ fromProfit: 0, loss: 0 }] },
      'stopLoss[0].loss is 0, a number above 0 and below 1 is wanted',
    ],
    [
      { stopLoss: [{ fromProfit: 0.02, loss: -0.02 }] },
      'stopLoss[0].loss is -0.02, a number above -0.02 and below 1 is wanted',
    ],
    [
      {
        stopLoss: [
          { fromProfit: 0, loss: 0.1 },
          { fromProfit: 0, loss: 0.05 },
        ],
      },
      'stopLoss[1].fromProfit is 0, a number above 0 is wanted',
    ],
    [
      {
        stopLoss: [
          { fromProfit: 0, loss: 0.1 },
          { fromProfit: 0.02, loss: 0.1 },
        ],
      },
      'stopLoss[1].loss is 0.1, a number above -0.02 and below 0.1 is wanted',
    ],
    [
      {
        stopLoss: [
          { fromProfit: 0.05, loss: 0.1 },
          { fromProfit: 0.02, loss: 0.05 },
        ],
      },
      'stopLoss[1].fromProfit is 0.02, a number above 0.05 is wanted',
    ],
    [
      { stopLoss: null },
      'stopLoss is null, a number above 0 or steps such as ' +
        '[{ fromProfit: 0, loss: 0.03 }] are wanted',
    ],
  ])('of %j are refused by name', (rules, message) => {
    expect(() => protect(context, rules as ExitRules)).toThrow(
      new StrategyError(`Cannot protect: ${message}`),
    );
  });
});
