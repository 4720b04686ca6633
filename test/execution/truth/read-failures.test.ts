import { describe, expect, it } from 'vitest';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { ReadFailures } from '../../../src/execution/truth/read-failures.ts';
import { silentLogger, VirtualClock } from '../../../src/kernel/index.ts';

const ORDERS = 'orders of btc_usdt';
const REFUSED = new ExchangeFailure('rejected', 'Error Market', { code: CODES.general });
const LOST = new ExchangeFailure('unknown', 'Cannot tell the outcome: no answer in time');

function createFailures() {
  const clock = new VirtualClock(1_700_000_000_000);
  const said: string[] = [];
  const say = (level: string) => (_: object, text: string) => void said.push(`${level}: ${text}`);
  const logger = {
    ...silentLogger,
    ...{ info: say('info'), warn: say('warn'), error: say('error') },
  };
  const failures = new ReadFailures({ clock, config: executionConfigSchema.parse({}), logger });
  /** How long it pauses after so many failures. */
  const pauses = (count: number, failure: ExchangeFailure) =>
    Array.from({ length: count }, () => {
      failures.failed(ORDERS, failure);
      const pauseMs = failures.dueMs(ORDERS) - clock.now();
      clock.advanceBy(pauseMs);
      return pauseMs;
    });
  return { clock, failures, pauses, said };
}

describe('ReadFailures', () => {
  it('asks at growing distance for what the exchange refuses, of that alone', () => {
    const { failures, pauses } = createFailures();
    expect(pauses(7, REFUSED)).toEqual([2_000, 4_000, 6_000, 8_000, 10_000, 10_000, 10_000]);
    expect(failures.dueMs('balances')).toBe(Number.NEGATIVE_INFINITY);
    failures.ended(ORDERS);
    expect(failures.dueMs(ORDERS)).toBe(Number.NEGATIVE_INFINITY);
    expect(pauses(1, REFUSED)).toEqual([2_000]);
  });

  it('asks at the same distance where nothing answers', () => {
    const { pauses } = createFailures();
    expect(pauses(4, LOST)).toEqual([2_000, 2_000, 2_000, 2_000]);
  });

  it('names what fails lastingly, and why, once a minute, and its end', () => {
    const { failures, pauses, said } = createFailures();
    pauses(2, REFUSED);
    const again = `warn: ${ORDERS} could not be read, it is tried again: Error Market`;
    expect(said).toEqual([again, again]);
    said.length = 0;
    pauses(8, REFUSED);
    const text = `error: ${ORDERS} cannot be read, it is tried on: Error Market`;
    expect(said).toEqual([text, text]);
    failures.ended(ORDERS);
    expect(said.at(-1)).toBe(`info: ${ORDERS} can be read again`);
  });

  it('lists what fails lastingly, since when and why, until it is read', () => {
    const { clock, failures, pauses } = createFailures();
    const sinceMs = clock.now();
    pauses(2, LOST);
    expect([failures.all(), failures.lasting(ORDERS)]).toEqual([[], undefined]);
    pauses(1, REFUSED);
    expect(failures.all()).toEqual([{ what: ORDERS, sinceMs, reason: 'Error Market' }]);
    expect(failures.lasting(ORDERS)).toBe(REFUSED);
    failures.ended(ORDERS);
    expect([failures.all(), failures.lasting(ORDERS)]).toEqual([[], undefined]);
  });

  it('says nothing of the end of a short failure', () => {
    const { failures, pauses, said } = createFailures();
    pauses(2, REFUSED);
    failures.ended(ORDERS);
    expect(said).toHaveLength(2);
  });
});
