import { map, type Observable } from 'rxjs';
import { CODES, type Exchange, type MarketDataPort } from '../../../exchange/index.ts';
import { refuse } from './answers.ts';
import type { Dialect } from './dialect.ts';
import type { Key } from './keys.ts';
import type { Markets } from './markets.ts';
import type { Parameters, Values } from './parameters.ts';
import type { QueryValues } from './query.ts';

/** What every operation may use. */
export interface PublicContext {
  readonly dialect: Dialect;
  readonly markets: Markets;
  readonly market: MarketDataPort;
}

/** What an operation on an account may use besides. */
export interface SignedContext extends PublicContext {
  readonly key: Key;
  readonly exchange: Exchange;
}

interface Definition<P extends Parameters, A, C> {
  /** The last piece of the path; for signed operations also the value of `method`. */
  readonly name: string;
  readonly parameters: P;
  /** What the exchange does. May refuse by throwing. */
  handle(values: Values<P>, context: C): Observable<A>;
  /** The answer as JSON text. */
  render(answer: A, context: C & { readonly values: Values<P> }): string;
}

/** An operation as the server sees it. */
export interface Operation<C> {
  readonly name: string;
  /** Names of the parameters that must not be empty. */
  readonly required: readonly string[];
  /** Reads the parameters, acts and renders. May refuse by throwing. */
  run(query: QueryValues, context: C): Observable<string>;
}

/** An operation that a key must permit. */
export interface SignedOperation extends Operation<SignedContext> {
  readonly permission: keyof Key['permissions'];
}

/** Defines an operation of the market data, which needs no key. */
export function publicOperation<P extends Parameters, A>(
  definition: Definition<P, A, PublicContext>,
): Operation<PublicContext> {
  return operationOf(definition);
}

/** Defines an operation on an account. */
export function signedOperation<P extends Parameters, A>(
  definition: Definition<P, A, SignedContext> & Pick<SignedOperation, 'permission'>,
): SignedOperation {
  return { ...operationOf(definition), permission: definition.permission };
}

function operationOf<P extends Parameters, A, C extends PublicContext>(
  definition: Definition<P, A, C>,
): Operation<C> {
  const parameters = Object.entries(definition.parameters);
  return {
    name: definition.name,
    required: parameters.flatMap(([name, { required }]) => (required ? [name] : [])),
    run(query, context) {
      const read: Record<string, unknown> = {};
      for (const [name, parameter] of parameters) {
        const text = query[name];
        const absent = text === undefined || text === '';
        read[name] = absent ? parameter.absent : parameter.read(text, name, context.markets);
      }
      const values = read as Values<P>;
      const rendering = { ...context, values };
      return definition
        .handle(values, context)
        .pipe(map((answer) => definition.render(answer, rendering)));
    },
  };
}

/** Refuses a request that lacks a required parameter. @throws {ExchangeFailure} with code 3005. */
export function requireParameters(operation: Operation<never>, query: QueryValues): void {
  for (const name of operation.required) {
    if (!query[name]) refuse(CODES.invalidArguments, `Invalid arguments: ${name} is empty`);
  }
}

/** Operations by their name. */
export function tableOf<O extends { readonly name: string }>(
  operations: readonly O[],
): ReadonlyMap<string, O> {
  return new Map(operations.map((operation) => [operation.name, operation]));
}
