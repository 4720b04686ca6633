import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FillLog } from '../../../../src/app/backtest/record/fill-log.ts';
import { Spool } from '../../../../src/app/backtest/record/spool.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import type { RecordedFill } from '../../../../src/report/index.ts';
import { makeFill, makeLateFee } from '../../../report/fixture.ts';
import { scratchFolder } from '../../fixture.ts';

/** Two blocks and a part of the third. */
const COUNT = 2_500;

function fillAt(at: number): RecordedFill {
  const fill = makeFill({
    value: Decimal.of(`${at}.000000000000000000000000000000012345`),
    fee: Decimal.of(at).dividedBy(Decimal.of(7), 20, 'nearest'),
    passed: {
      ...(at % 2 === 0 && { whole: { low: at, high: at + 1 } }),
      ...(at % 7 === 0 && { underWay: { from: at, low: at + 2, high: at + 3 } }),
    },
  });
  if (at % 5 === 0) return { ...fill, rate: at % 2 === 0 ? Number.NaN : at / 7 };
  return at % 3 === 0 ? { ...fill, liquidity: 'maker', referencePrice: at / 3 } : fill;
}

/** What a fill says, its decimals as text: of one number there may be several. */
function told(fills: Iterable<RecordedFill>) {
  return Array.from(fills, (fill) => ({ ...fill, value: `${fill.value}`, fee: `${fill.fee}` }));
}

function filledLog() {
  const fills = Array.from({ length: COUNT }, (_, at) => fillAt(at));
  const log = new FillLog(new Spool(join(scratchFolder(), 'fills.spool')));
  for (const fill of fills) log.add(fill);
  return { fills, log };
}

describe('FillLog', () => {
  it('gives every fill in its order, to the last digit, as often as it is asked', () => {
    const { fills, log } = filledLog();
    expect(log.length).toBe(COUNT);
    for (let round = 0; round < 2; round++) expect(told(log)).toEqual(told(fills));
  });

  it('adds a fee that is told later to the last fill of its order, wherever that lies', () => {
    const log = new FillLog(new Spool(join(scratchFolder(), 'fills.spool')));
    // Two fills an order: the last ones of orders 0, 512 and 1024 are the first of their blocks.
    const orders = Array.from({ length: COUNT }, (_, at) => `order${Math.ceil(at / 2)}`);
    for (const clientOrderId of orders) log.add(makeFill({ clientOrderId, fee: Decimal.of(1) }));
    const fees = orders.map(() => 1);
    for (const [order, fee] of [
      [0, 2],
      [0, -1],
      [511, 0.25],
      [512, 4],
      [1_024, 3],
      [1_249, 5],
      [1_249, 5],
    ] as const) {
      log.addFee(makeLateFee({ clientOrderId: `order${order}`, fee: Decimal.of(fee) }));
      fees[2 * order]! += fee;
    }
    for (let round = 0; round < 2; round++) {
      expect(Array.from(log, ({ fee }) => Number(fee))).toEqual(fees);
    }
  });

  it('may be gone through by two at once, and left early', () => {
    const { fills, log } = filledLog();
    let seen = 0;
    for (const fill of log) {
      for (const first of log) {
        expect(first.clientOrderId).toBe(fills[0]!.clientOrderId);
        break;
      }
      expect(fill.clientOrderId).toBe(fills[seen++]!.clientOrderId);
      if (seen === 1_030) break;
    }
    expect(seen).toBe(1_030);
  });
});
