import { describe, expect, it } from 'vitest';
import { firstStampsOf } from '../../../../src/history/store/import/stage-raw.ts';
import { Store } from '../fixture.ts';

const TIME = Date.parse('2024-08-09T00:00:00Z');
const LINES = 100;

/** A recording of trades 100 ms apart, by the recorder's stamp of each. */
function recording(receivedAt: (at: number) => number): string {
  const lines = Array.from({ length: LINES }, (_, at) => {
    const time = TIME + at * 100;
    const data = { e: 'trade', E: time, T: time, s: 'BTCUSDT', t: at, p: '1', q: '1', m: false };
    return `${receivedAt(at)}000000 ${JSON.stringify({ stream: 'btcusdt@trade', data })}`;
  });
  return new Store().file('raw', lines.join('\n'));
}

describe('firstStampsOf', () => {
  it.each([
    ['goes on', (at: number) => TIME + at * 100],
    ['stands still', () => TIME],
    ['is set back by a minute', (at: number) => TIME + at * 100 - (at < 5 ? 0 : 60_000)],
    ['is set back by a second each second', (at: number) => TIME + (at % 10) * 100],
  ])("takes the messages of a second, whose recorder's clock %s", async (_, receivedAt) => {
    const { soon, ...first } = await firstStampsOf(recording(receivedAt), {});
    expect(first).toMatchObject({ time: TIME, received: TIME });
    expect(soon.length).toBeGreaterThanOrEqual(5);
    expect(soon.length).toBeLessThanOrEqual(10);
  });
});
