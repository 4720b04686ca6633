import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const minutes = Array.from({ length: 5 }, (_, at) => ({ close: 100 + at }));
const OPERATOR =
  'A timed operator goes by the time of the machine, not of the data: pass clock of the ' +
  'strategy context as its last argument, as in debounceTime(100, clock).';

/**
 * What is said of a strategy whose stream is `stream`, without the folder of its file; lines are those
 * of the compiler of the tests.
 */
async function saidOf(stream: string): Promise<string[]> {
  const text = `import { debounceTime, defineStrategy, map, target, throttleTime, timestamp, z } from '#strategy';
export default defineStrategy({
  name: 'reading',
  params: z.strictObject({ wishes: z.unknown() }),
  run: ({ market, candles, clock, random }) => candles('1min').pipe(
    ${stream}
    map(() => target(market, 1)),
  ),
});`;
  const { record } = await replayed({ minutes, script: {}, text });
  const decisive = record.notes?.slice(0, record.decisive) ?? [];
  return decisive.map((note) => note.replace(/^\S*\/(\w+\.ts):\d+/, '$1'));
}

describe('MachineReads', () => {
  it.each(['throttleTime(60_000),', 'debounceTime(0),', 'timestamp(),'])(
    'tells of the operator %s, which has no clock',
    async (operator) => {
      expect(await saidOf(operator)).toContainEqual(OPERATOR);
    },
  );

  it.each([
    ['new Date()', 'reads the date of the machine, not of the data: use clock.now()'],
    ['Date()', 'reads the date of the machine, not of the data: use clock.now()'],
    ['Date.now()', 'reads the date of the machine, not of the data: use clock.now()'],
    ['Math.random()', 'draws from Math.random, so the next run will differ: use random'],
  ])('tells of a line that calls %s, once', async (call, said) => {
    expect(await saidOf(`map(() => ${call}),`)).toEqual([
      `scripted.ts ${said} of the strategy context.`,
    ]);
  });

  it('tells of a timer of the machine', async () => {
    expect(await saidOf('map(() => setTimeout(() => {}, 0)),')).toEqual([
      'scripted.ts waits by the time of the machine, not of the data: pass clock of the strategy ' +
        'context, as in timer(1_000, clock).',
    ]);
  });

  it('says nothing of what goes by the clock, and of dates of the data', async () => {
    const stream = `throttleTime(60_000, clock), timestamp(clock),
    map(({ value }) => new Date(value.openTime).getTime() + clock.now() + random.next()),`;
    expect(await saidOf(stream)).toEqual([]);
  });

  it('looks a thousand times: what reads in a loop does not slow a run down', async () => {
    const stream = `map(() => {
      for (let count = 0; count < 1_000; count++) Date.now();
      return Math.random();
    }),`;
    expect((await saidOf(stream)).join()).toMatch(/^scripted\.ts reads the date[^,]*,[^,]*$/);
  });

  it('leaves the machine as it was once the run is over, whatever ended that', async () => {
    const before = [Date, Date.now, Math.random, setTimeout];
    await saidOf('');
    expect([Date, Date.now, Math.random, setTimeout]).toEqual(before);
    const failing = "map(() => { throw new Error('boom'); }),";
    await saidOf(failing).catch(() => {});
    expect([Date, Date.now, Math.random, setTimeout]).toEqual(before);
    expect(Date).toBe(before[0]);
  });
});
