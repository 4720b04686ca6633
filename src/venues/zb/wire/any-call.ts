import { WireError } from './errors.ts';
import { plainNumber } from './numbers.ts';
import { illegible, isFields } from './read.ts';
import type { SignedParameters } from './signing.ts';

/** JSON as it was read: a number with more digits than a double surely holds comes as its text. */
export type Json = string | number | boolean | null | readonly Json[] | JsonFields;
export interface JsonFields {
  readonly [name: string]: Json;
}

/** Parameters of any operation; undefined ones are left out. */
export type CallParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The form of an operation's name and of a parameter's. */
const NAME = /^[A-Za-z]\w{0,63}$/;
/** The names of parameters that the signer adds: the caller may not set them. */
const RESERVED: ReadonlySet<string> = new Set(['accesskey', 'method', 'reqTime', 'sign']);

/**
 * The parameters of an operation by its name.
 *
 * @throws {WireError} when a name is none or reserved, or a number cannot be written.
 */
export function callParameters(method: string, parameters: CallParameters): SignedParameters {
  if (!NAME.test(method)) {
    throw new WireError(
      `Cannot call ${JSON.stringify(method)}: it is no operation's name, letters and digits are wanted`,
    );
  }
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) texts[checkedName(name)] = textOf(value, name);
  }
  return { ...texts, method };
}

function checkedName(name: string): string {
  if (NAME.test(name) && !RESERVED.has(name)) return name;
  throw new WireError(
    `Cannot use the parameter ${JSON.stringify(name)}: it is reserved or no name, another is wanted`,
  );
}

function textOf(value: string | number | boolean, name: string): string {
  if (typeof value !== 'number') return String(value);
  if (Number.isFinite(value)) return plainNumber(value);
  throw new WireError(`Cannot use the parameter ${name}: it is ${value}, a number is wanted`);
}

/** Any answer whose envelope was checked before: an object or a list. @throws {WireError} */
export function readAny(json: unknown): JsonFields | readonly Json[] {
  if (isFields(json) || Array.isArray(json)) return json as JsonFields | readonly Json[];
  return illegible('the answer', json, 'an object or an array');
}
