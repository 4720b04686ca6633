import type { Observable } from 'rxjs';
import { CODES, type FullExchange, type MarketDataPort } from '../../../exchange/index.ts';
import { refuse } from './answers.ts';
import type { Dialect } from './dialect.ts';
import type { Key } from './keys.ts';
import type { Markets } from './markets.ts';
import type { Parameters, Values } from './parameters.ts';
import type { Query } from './query.ts';

/** What every operation can use. */
export interface PublicContext {
  readonly dialect: Dialect;
  readonly markets: Markets;
  readonly market: MarketDataPort;
}

/** What an operation on an account can use. */
interface SignedContext extends PublicContext {
  readonly exchange: FullExchange;
  readonly key: Key;
}

interface Definition<P extends Parameters, A, C> {
  /** The last part of the path; for signed operations also the value of `method`. */
  readonly name: string;
  readonly parameters: P;
  /** Calls the exchange. May refuse by throwing. */
  handle(values: Values<P>, context: C): Observable<A>;
  /** The answer as JSON text. */
  render(answer: A, context: C & { readonly values: Values<P> }): string;
}

/** The pending answer of an operation. */
export interface Reply {
  readonly answers: Observable<unknown>;
  /** An answer as JSON text. */
  render(answer: unknown): string;
}

/** An operation as the server sees it. */
export interface Operation<C> {
  readonly name: string;
  /** Names of the parameters that must not be empty. */
  readonly required: readonly string[];
  /** Reads the parameters and acts. May refuse by throwing. */
  run(query: Query, context: C): Reply;
}

/** A permission of a key. */
type Right = keyof Key['permissions'];

/** The permissions that a request needs. */
interface Rights {
  /** Undefined: any key will do. */
  readonly permission: Right | undefined;
  /** A further permission that some parameters need. Default: none. */
  readonly alsoNeeds?: ((query: Query) => Right | undefined) | undefined;
  /** Whether it is answered without a key too, with the first key's account. Default: no. */
  readonly isOpen?: boolean | undefined;
}

/** An operation that needs a key. */
export interface SignedOperation extends Operation<SignedContext>, Rights {}

/** Defines an operation of market data, which needs no key. */
export function publicOperation<P extends Parameters, A>(
  definition: Definition<P, A, PublicContext>,
): Operation<PublicContext> {
  return operationOf(definition);
}

/** Defines an operation on an account. */
export function signedOperation<P extends Parameters, A>(
  definition: Definition<P, A, SignedContext> & Rights,
): SignedOperation {
  const { permission, alsoNeeds, isOpen } = definition;
  return { ...operationOf(definition), permission, alsoNeeds, isOpen };
}

function operationOf<P extends Parameters, A, C extends PublicContext>(
  definition: Definition<P, A, C>,
): Operation<C> {
  const parameters = Object.entries(definition.parameters);
  const absents = Object.fromEntries(parameters.map(([name, { absent }]) => [name, absent]));
  return {
    name: definition.name,
    required: parameters.flatMap(([name, { required }]) => (required ? [name] : [])),
    run(query, context) {
      const read = { ...absents };
      for (const [name, parameter] of parameters) {
        const text = query.get(name);
        if (text === undefined || parameter.isLeftOut(text)) continue;
        read[name] = parameter.read(text, name, context.markets);
      }
      const values = read as Values<P>;
      return {
        answers: definition.handle(values, context),
        render: (answer) => definition.render(answer as A, { ...context, values }),
      };
    },
  };
}

/** Refuses a request that lacks a required parameter. @throws {ExchangeFailure} with code 3005. */
export function requireParameters(operation: Operation<never>, query: Query): void {
  for (const name of operation.required) {
    if (!query.get(name)) refuse(CODES.invalidArguments, `Invalid arguments: ${name} is empty`);
  }
}

export function tableOf<O extends { readonly name: string }>(
  operations: readonly O[],
): ReadonlyMap<string, O> {
  return new Map(operations.map((operation) => [operation.name, operation]));
}
