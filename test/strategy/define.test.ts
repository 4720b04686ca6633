import { EMPTY } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  defineStrategy,
  isStrategyDefinition,
  resolveExport,
  runStrategy,
  z,
} from '../../src/strategy/index.ts';

const define = (name = 'probe') =>
  defineStrategy({ name, params: z.strictObject({}), run: () => EMPTY });

describe('defineStrategy', () => {
  it('returns a frozen definition that is known as one', () => {
    const definition = define();
    expect(Object.isFrozen(definition)).toBe(true);
    expect(isStrategyDefinition(definition)).toBe(true);
  });

  it.each(['', 'Probe', '1st', 'a b'])('refuses the name %j', (name) => {
    expect(() => define(name)).toThrow('lower case letters, digits and hyphens are wanted');
  });

  it('wants params of who writes without types too', () => {
    const { params: _, ...recipe } = define();
    expect(() => defineStrategy(recipe as typeof recipe & { params: z.ZodType })).toThrow(
      'Cannot define the strategy probe: it has no params, a zod schema is wanted',
    );
  });

  it.each([
    [{ params: {} }, 'its params are no schema, a zod schema is wanted'],
    [{ params: null }, 'its params are no schema, a zod schema is wanted'],
    [{ run: undefined }, 'it has no run, a function from the context to a stream of intents is'],
    [{ run: EMPTY }, 'its run is no function, a function from the context to a stream of'],
  ])('wants a schema and a function: %j', (part, message) => {
    const recipe = { ...define(), ...part } as unknown as ReturnType<typeof define>;
    expect(() => defineStrategy(recipe)).toThrow(`Cannot define the strategy probe: ${message}`);
  });

  it.each([
    [undefined, 'nothing'],
    [Promise.resolve(EMPTY), 'a promise, as an async function does'],
    [[], 'a list'],
    [7, 'a number'],
    [{}, 'an object'],
  ])('has run throw where it returns %s, which is no stream', (returned, told) => {
    const run = (): never => returned as never;
    const strategy = defineStrategy({ name: 'probe', params: z.strictObject({}), run });
    expect(() => runStrategy(strategy, { events: [] })).toThrow(
      `Cannot run the strategy probe: its run returned ${told}, a stream of intents is wanted`,
    );
  });

  it('types the parameters of the context by the schema, defaults filled in', () => {
    defineStrategy({
      name: 'typed',
      params: z.strictObject({ length: z.int().default(3), label: z.string().optional() }),
      run: ({ params }) => {
        expectTypeOf(params).toEqualTypeOf<{ length: number; label?: string | undefined }>();
        return EMPTY;
      },
    });
  });
});

describe('isStrategyDefinition', () => {
  it.each([null, undefined, 1, 'x', {}, { name: 'x', run: () => EMPTY }])(
    'is false for %j',
    (value) => {
      expect(isStrategyDefinition(value)).toBe(false);
    },
  );
});

describe('resolveExport', () => {
  it('prefers the default export', () => {
    const wanted = define('wanted');
    expect(resolveExport({ other: define('other'), default: wanted })).toBe(wanted);
  });

  it('takes the only strategy where there is no default', () => {
    const wanted = define('wanted');
    expect(resolveExport({ helper: () => 1, wanted })).toBe(wanted);
  });

  it('says what the module exports when no export is a strategy', () => {
    expect(() => resolveExport({ default: {}, helper: 1 })).toThrow(
      'Cannot load a strategy: no export of the module is one (it exports default, helper), ' +
        '`export default defineStrategy({...})` is wanted',
    );
    expect(() => resolveExport({})).toThrow('it exports nothing');
  });

  it('names the candidates when there are several', () => {
    expect(() => resolveExport({ a: define('a'), b: define('b') })).toThrow('exports 2 (a, b)');
  });
});
