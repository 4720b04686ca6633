import { describe, expect, it } from 'vitest';
import {
  UnpaidFees,
  type UnpaidFeesOptions,
} from '../../../../src/app/backtest/notes/unpaid-fees.ts';
import type { Side, TradingEvent } from '../../../../src/domain/index.ts';
import { Bus } from '../../../../src/kernel/index.ts';
import { makeMarket, makePending } from '../../../domain/fixture.ts';
import { type ReplayOptions, replayed } from '../fixture.ts';

const MINUTES = [100, 101, 102, 103, 104, 105].map((close) => ({ close }));
/** Buys two, and sells all of them two minutes later. */
const IN_AND_OUT = { 1: 2, 3: 0 };

/** What the reader of a run is told. */
async function notesOf(
  feesIn: string,
  { balances, script = IN_AND_OUT }: { balances: object; script?: ReplayOptions['script'] },
): Promise<readonly string[] | undefined> {
  const fees = { maker: 0.001, taker: 0.001, in: feesIn };
  const { record } = await replayed({ minutes: MINUTES, script, backtest: { balances, fees } });
  return record.notes;
}

describe('the notes of a run', () => {
  it('say that what was bought could not be sold, for its fee is in the base currency', async () => {
    expect(await notesOf('base', { balances: { usdt: '10000' } })).toEqual([
      '3 sells were refused in btc_usdt, the first at 2024-01-01 00:04 UTC: there was no btc to pay ' +
        'the fee, which fees.in: base takes on top of what the order gives. Put more btc into ' +
        'balances than strategies trade with, or set fees.in: received.',
    ]);
  });

  it('say that all money could not be spent, for the fee is beside it', async () => {
    const script = { 5: { bids: [{ price: 104, amount: 1 }] } };
    const notes = await notesOf('quote', { balances: { usdt: '104' }, script });
    expect(notes).toEqual([
      expect.stringMatching(/^A buy was refused in btc_usdt, at 2024-01-01 00:06 UTC: .* no usdt /),
    ]);
  });

  it.each([
    ['there is something to spare', 'base', { usdt: '10000', btc: '0.1' }, IN_AND_OUT],
    ['fees are taken out of what comes in', 'received', { usdt: '10000' }, IN_AND_OUT],
    ['risk has seen that there is nothing to sell', 'base', { usdt: '10000', btc: '1' }, { 1: -2 }],
  ])('say nothing of fees where %s', async (_what, feesIn, balances, script) => {
    const notes = (await notesOf(feesIn, { balances, script })) ?? [];
    expect(notes.filter((note) => note.includes('to pay the fee'))).toEqual([]);
  });
});

describe('UnpaidFees', () => {
  function fixture(fees: UnpaidFeesOptions['fees']) {
    const bus = new Bus<TradingEvent>();
    const market = makeMarket();
    const unpaid = new UnpaidFees({ bus, markets: new Map([[market.id, market]]), fees });
    const refuse = (side: Side, code?: number) => {
      const refused = { status: 'rejected', reason: 'no', ...(code !== undefined && { code }) };
      const order = { ...makePending({ side }), ...refused } as const;
      bus.publish({ kind: 'order', market: market.id, time: 0, order } as TradingEvent);
    };
    return { unpaid, refuse };
  }

  it('heeds the refusals for want of money alone, of orders that pay a fee beside what they give', () => {
    const { unpaid, refuse } = fixture({ in: 'base' });
    refuse('buy', 2009);
    refuse('sell', 2012);
    refuse('sell');
    expect(unpaid.notes()).toEqual([]);
    refuse('sell', 2009);
    expect(unpaid.notes()).toHaveLength(1);
  });

  it('takes no fee to be missing that risk has seen: one that is charged beyond a share', () => {
    const { unpaid, refuse } = fixture({ in: 'quote', perOrder: 1 });
    refuse('buy', 2009);
    expect(unpaid.notes()).toEqual([]);
  });
});
