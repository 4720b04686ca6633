import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExchangeFailure } from '../../../../src/exchange/index.ts';
import { silentLogger } from '../../../../src/kernel/index.ts';
import { LegibleRows } from '../../../../src/venues/zb/client/legible.ts';
import {
  parseJson,
  readAccount,
  readAcknowledged,
  readAddress,
  readAnswer,
  readAny,
  readBills,
  readCancelled,
  readChainAddresses,
  readConfidential,
  readCrossAccount,
  readDeposits,
  readMarkets,
  readOrder,
  readPlaced,
  readPlacedBatch,
  readTrades,
  readWithdrawalFees,
  readWithdrawals,
  readWithdrawn,
} from '../../../../src/venues/zb/wire/index.ts';

const rows = new LegibleRows(silentLogger);
const readers = {
  readPlaced,
  readPlacedBatch,
  readCancelled,
  readAcknowledged,
  readAccount,
  readMarkets,
  readAddress,
  readAny,
  readBills,
  readChainAddresses,
  readCrossAccount,
  readDeposits,
  readWithdrawalFees,
  readWithdrawals,
  readWithdrawn,
  readOrder: (json: unknown) => readOrder(json, 'btc_usdt'),
  readOrders: (json: unknown) => rows.orders(json, 'btc_usdt'),
  readTrades: (json: unknown) => readTrades(json, { market: 'btc_usdt', receivedTime: 1 }),
  readTickers: (json: unknown) => rows.tickers(json, { markets: [], receivedTime: 1 }),
};
const NAMES = [
  ...['code', 'message', 'id', 'data', 'result', 'coins', 'isSuc', 'datas', 'type', 'tid'],
  ...['list', 'key', 'pageIndex', 'pageSize', 'total', 'totalCount'],
];
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .dictionary(
      fc.constantFrom(...NAMES),
      fc.oneof(fc.jsonValue(), fc.constantFrom(1000, '1000', 0)),
    )
    .map((fields) => JSON.stringify(fields)),
  fc.tuple(fc.json(), fc.nat()).map(([text, end]) => text.slice(0, end % (text.length + 1))),
);

describe('readAnswer of hostile bodies', () => {
  test.each(Object.entries(readers))(
    'gives a value or an ExchangeFailure for any body, read by %s',
    (_name, read) => {
      fc.assert(
        fc.property(hostile, fc.constantFrom(200, 200, 400, 429, 500), (body, status) => {
          try {
            readAnswer(
              { status, body },
              { action: 'read', read: read as (json: unknown) => unknown },
            );
            readConfidential(
              { status, body },
              { action: 'read', read: read as (json: unknown) => unknown, target: '?sign=a' },
            );
          } catch (error) {
            expect(error).toBeInstanceOf(ExchangeFailure);
          }
        }),
        { seed: 4, numRuns: 300 },
      );
    },
  );

  test('takes an order for placed only on the code of success and an id of digits', () => {
    fc.assert(
      fc.property(hostile, (body) => {
        let placed: { exchangeOrderId: string };
        try {
          placed = readAnswer({ status: 200, body }, { action: 'place', read: readPlaced });
        } catch {
          return;
        }
        const { code, id } = parseJson(body) as { code: unknown; id: unknown };
        expect(Number(code)).toBe(1000);
        expect(placed.exchangeOrderId).toBe(String(id));
        expect(placed.exchangeOrderId).toMatch(/^\d+$/);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});
