import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const minutes = [{ close: 100 }, { close: 101 }];

/** What the settings of a run say of a strategy with a parameter of that schema. */
async function told(schema: string, params: object): Promise<unknown> {
  const text = `import { defineStrategy, NEVER, z } from '#strategy';
export default defineStrategy({
  name: 'typed',
  params: z.strictObject({ v: ${schema}, other: z.int().default(7) }),
  run: () => NEVER,
});`;
  const strategies = [{ use: './scripted.ts', params }];
  const { record } = await replayed({ minutes, script: {}, text, settings: { strategies } });
  return (record.settings.strategies as { params: object }[])[0]!.params;
}

describe('plainSettings', () => {
  it('tells what a schema filled in', async () => {
    expect(await told('z.number()', { v: 1 })).toEqual({ v: 1, other: 7 });
  });

  it.each([
    ['reads another type', 'z.string().transform((text) => text.length)', 'abc'],
    ['reads another value', 'z.number().transform((value) => value * 2)', 2],
    ['makes what a file cannot hold', 'z.coerce.bigint()', 12],
    [
      'makes what a file holds otherwise',
      'z.array(z.string()).transform((list) => new Set(list))',
      ['a'],
    ],
  ])('tells parameters as written where a schema %s, to run again', async (_what, schema, v) => {
    expect(await told(schema, { v })).toEqual({ v });
  });

  it('tells a date that reads back as it is', async () => {
    const v = '2024-01-01T00:00:00.000Z';
    expect(await told('z.coerce.date()', { v })).toEqual({ v, other: 7 });
  });
});
