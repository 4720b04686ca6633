import { defineStrategy, interval, map, merge, order, take, timer, z } from '#strategy';

/** Asks for what risk refuses, and goes by what it is told of that. */
export default defineStrategy({
  name: 'refused',
  params: z.strictObject({}),
  run({ market, clock, refusals, depth }) {
    let wished = 0;
    const buy = (tag: string, [price, amount]: readonly [number, number]) =>
      order(market, { tag, side: 'buy', price, amount, type: 'postOnly' });
    const tooMuch = interval(700, clock).pipe(
      // The interval's next timer, set after this wish, has its number whenever the refusal comes.
      map(() => buy(`much-${++wished}`, [100, 1_000])),
    );
    const taking = depth().pipe(
      take(40),
      map(({ asks }) => buy('taking', [asks[0]![0], 0.001])),
    );
    const answers = refusals().pipe(
      map(({ by, code, tag, time }) => buy(`${by} ${code} ${tag} ${time}`.slice(0, 60), [100, 1])),
    );
    const later = timer(1_500, clock).pipe(map(() => buy('later', [100, 1_000])));
    return merge(tooMuch, taking, answers, later);
  },
});
