import { isObservable, type Observable } from 'rxjs';
import type { z } from 'zod';
import type { Intent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';

/** Shared by all copies of this package, so that one recognises the definitions of another. */
const BRAND = Symbol.for('tradewind.strategy');
const NAME = /^[a-z][a-z0-9-]*$/;

/** What a strategy is made of: its name, the schema of its parameters and its behaviour. */
export interface StrategyRecipe<S extends z.ZodType = z.ZodType> {
  /** Lower case letters, digits and hyphens, such as `ema-cross`. */
  readonly name: string;
  /** The schema of the parameters: `z.strictObject({...})`, every key described. */
  readonly params: S;
  /**
   * Turns what the context offers into a stream of wishes. Called once for each instance.
   *
   * A pure description: it has no exchange, no order identifiers and no clock but the context's.
   * When the stream ends or fails, the strategy is over and its resting orders are cancelled.
   */
  run(context: StrategyContext<z.output<S>>): Observable<Intent>;
}

/** A recipe that `defineStrategy` has checked and frozen. */
export interface StrategyDefinition<S extends z.ZodType = z.ZodType> extends StrategyRecipe<S> {
  readonly [BRAND]: true;
}

/**
 * Declares a strategy; a module exports it as its default.
 *
 * @throws {StrategyError} when the name is not lower case letters, digits and hyphens, params are
 * no schema, or run is no function.
 */
export function defineStrategy<S extends z.ZodType>(
  recipe: StrategyRecipe<S>,
): StrategyDefinition<S> {
  if (!NAME.test(recipe.name)) {
    throw new StrategyError(
      `Cannot define a strategy: its name is ${JSON.stringify(recipe.name)}, ` +
        'lower case letters, digits and hyphens are wanted',
    );
  }
  requireParts(recipe);
  const run: typeof recipe.run = (context) => requireStream(recipe.name, recipe.run(context));
  return Object.freeze({ ...recipe, run, [BRAND]: true as const });
}

/** Checks what `run` returned: a `return` is easily forgotten, and `async` makes it a promise. */
function requireStream(name: string, returned: unknown): Observable<Intent> {
  if (isObservable(returned)) return returned as Observable<Intent>;
  const what = kindOf(returned);
  throw new StrategyError(
    `Cannot run the strategy ${name}: its run returned ${what}, a stream of intents is wanted`,
  );
}

/** Checks the parts of a strategy: an author who writes without types may leave some out. */
function requireParts({ name, params, run }: { [part in keyof StrategyRecipe]: unknown }): void {
  const { safeParse } = Object(params) as { readonly safeParse?: unknown };
  if (typeof safeParse !== 'function') {
    const what = params === undefined ? 'it has no params' : 'its params are no schema';
    throw new StrategyError(
      `Cannot define the strategy ${name}: ${what}, a zod schema is wanted, ` +
        'z.strictObject({}) where it takes none',
    );
  }
  if (typeof run === 'function') return;
  const what = run === undefined ? 'it has no run' : 'its run is no function';
  throw new StrategyError(
    `Cannot define the strategy ${name}: ${what}, a function from the context to a stream of ` +
      'intents is wanted',
  );
}

function kindOf(returned: unknown): string {
  if (returned === undefined || returned === null) return 'nothing';
  if (Array.isArray(returned)) return 'a list';
  if (typeof returned !== 'object') return `a ${typeof returned}`;
  return 'then' in returned ? 'a promise, as an async function does' : 'an object';
}

/** Whether a value came from `defineStrategy`. */
export function isStrategyDefinition(value: unknown): value is StrategyDefinition {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/**
 * The strategy that a loaded module offers: its default export, or else its only strategy.
 *
 * @throws {StrategyError} when it offers none, or several and no default.
 */
export function resolveExport(module: object): StrategyDefinition {
  const exported = Object.entries(module);
  const byDefault = exported.find(([name]) => name === 'default')?.[1];
  if (isStrategyDefinition(byDefault)) return byDefault;
  const found = exported.filter(([, value]) => isStrategyDefinition(value));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only[1] as StrategyDefinition;
  const what =
    found.length > 1
      ? `the module exports ${found.length} (${found.map(([name]) => name).join(', ')})`
      : `no export of the module is one (it exports ${exported.map(([name]) => name).join(', ') || 'nothing'})`;
  throw new StrategyError(
    `Cannot load a strategy: ${what}, \`export default defineStrategy({...})\` is wanted`,
  );
}
