import { describe, expect, it } from 'vitest';
import { journalEvents } from '../../../src/app/journal/events.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/index.ts';
import { fillEvent } from '../../domain/fixture.ts';
import {
  cancelledOrderOf,
  orderEvent,
  orderOf,
  requestEvent,
  START_MS,
  tradeEvent,
} from '../../storage/events.ts';
import { fillOf, journalWith } from './fixture.ts';

const EXCHANGE_ID = '202401010000000001';

const pending = orderOf({ status: 'pending', exchangeOrderId: undefined });

const refusal = (strategy: string, time = START_MS): TradingEvent => ({
  ...{ kind: 'refusal', time, market: 'btc_usdt', strategy },
  refusal: { code: 'balance', limit: '1', observed: '2', scope: 'account' },
});

/** Requests a day apart, many more than a chunk of the journal holds at once. */
const requests = (count: number, apartMs: number): TradingEvent[] =>
  Array.from({ length: count }, (_, at) => requestEvent(START_MS + at * apartMs));

const placesOf = (choice: Parameters<typeof journalEvents>[0]) =>
  Array.from(journalEvents(choice), ({ run, sequence }) => `${run}:${sequence}`);

describe('journalEvents', () => {
  it('tells what was decided and done in all runs, the oldest first, without market data', () => {
    const path = journalWith([
      { events: [tradeEvent(1), orderEvent(pending)] },
      { events: [orderEvent(), tradeEvent(2), orderEvent(cancelledOrderOf())] },
    ]);
    expect(placesOf({ path })).toEqual(['1:2', '2:1', '2:3']);
    expect(placesOf({ path, run: 1 })).toEqual(['1:2']);
    expect(placesOf({ path, kinds: ['trade'] })).toEqual(['1:1', '2:2']);
  });

  it('follows an order by either of its ids, from before the exchange had one', () => {
    const other = orderOf({ clientOrderId: 'order2', exchangeOrderId: '7' });
    const fill = fillEvent(fillOf({ clientOrderId: 'order1', exchangeOrderId: EXCHANGE_ID }));
    const { status: _, ...record } = orderOf();
    const told = { ...record, exchangeOrderId: EXCHANGE_ID, closed: false, exchangeTime: 0 };
    const stamps = { exchangeTime: START_MS, receivedTime: START_MS };
    const push: TradingEvent = { kind: 'orderPush', market: 'btc_usdt', ...stamps, order: told };
    const path = journalWith([
      { events: [orderEvent(pending), orderEvent(other), push, orderEvent()] },
      { events: [refusal('maker'), fill, orderEvent(cancelledOrderOf())] },
    ]);
    const story = ['1:1', '1:3', '1:4', '2:2', '2:3'];
    expect(placesOf({ path, order: 'order1' })).toEqual(story);
    expect(placesOf({ path, order: EXCHANGE_ID })).toEqual(story);
    expect(() => placesOf({ path, order: 'order9' })).toThrow(
      `Cannot show the order "order9" in ${path}: it knows none of that id, the client's or the`,
    );
    expect(placesOf({ path, order: 'order1', kinds: ['refusal'] })).toEqual([]);
  });

  it('keeps to a strategy, a market and a time', () => {
    const late = refusal('maker', START_MS + HOUR_MS);
    const path = journalWith([
      { events: [refusal('maker'), refusal('taker'), orderEvent(), late] },
    ]);
    expect(placesOf({ path, strategy: 'maker' })).toEqual(['1:1', '1:3', '1:4']);
    expect(placesOf({ path, market: 'eth_btc' })).toEqual([]);
    expect(placesOf({ path, from: START_MS + 1 })).toEqual(['1:4']);
    expect(placesOf({ path, to: START_MS + 1, kinds: ['refusal'] })).toEqual(['1:1', '1:2']);
    expect(() => placesOf({ path, market: 'btc_usd' })).toThrow('did you mean "btc_usdt"?');
    expect(() => placesOf({ path, from: START_MS, to: START_MS })).toThrow(
      'Cannot look from 2024-01-01T00:00:00.000Z to 2024-01-01T00:00:00.000Z: a later end is wanted',
    );
  });

  it.each([
    ['within an hour', 1_000],
    ['over days', DAY_MS],
  ])('has the newest so many, through all runs, where they are spread %s', (_, apartMs) => {
    const events = requests(50, apartMs);
    const path = journalWith([{ events: requests(5, apartMs) }, { events }]);
    const newest = (last: number) => placesOf({ path, last });
    expect(newest(3)).toEqual(['2:48', '2:49', '2:50']);
    expect(newest(49)).toHaveLength(49);
    expect(newest(52)).toEqual(['1:4', '1:5', ...placesOf({ path, run: 2 })]);
    expect(newest(99)).toHaveLength(55);
  });
});
