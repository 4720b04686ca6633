import { z } from 'zod';
import { readAs } from '../config/problems.ts';
import { parseYaml } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import type { Reply } from './reply.ts';

/** Something that the operator can see or do. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `:name` stands for any one piece of the path. */
  readonly path: string;
  run(request: { readonly names: Names; readonly body: string }): Reply | Promise<Reply>;
}

/** The pieces of a path that `:name`s stand for, by name. */
export type Names = Readonly<Record<string, string>>;

interface Definition<S extends z.ZodType> {
  readonly path: string;
  /** What the body of the request may say. Default: nothing. */
  readonly body?: S;
  act(body: z.output<S>, names: Names): Reply | Promise<Reply>;
}

/** A route to look at something. */
export function seen(path: string, look: () => Reply): Route {
  return { method: 'GET', path, run: look };
}

/** A route to do something. Its body is JSON; an empty one stands for `{}`. */
export function action<S extends z.ZodType>({ path, body: schema, act }: Definition<S>): Route {
  return {
    method: 'POST',
    path,
    run: ({ names, body }) =>
      act(readBody(schema ?? z.strictObject({}), body) as z.output<S>, names),
  };
}

/** The pieces of a path in place of a route's `:name`s, by name; undefined for another path. */
export function namesIn(path: string, { path: pattern }: Route): Names | undefined {
  const pieces = path.split('/');
  const wanted = pattern.split('/');
  if (pieces.length !== wanted.length) return undefined;
  const names: Record<string, string> = {};
  for (const [at, name] of wanted.entries()) {
    const piece = decoded(pieces[at]!);
    if (piece === undefined) return undefined;
    if (name.startsWith(':')) names[name.slice(1)] = piece;
    else if (name !== piece) return undefined;
  }
  return names;
}

function decoded(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}

/** Reads JSON as YAML, so that errors name line, column and key as they do in a file. */
function readBody(schema: z.ZodType, text: string): unknown {
  const json = text.trim() === '' ? '{}' : text;
  try {
    JSON.parse(json);
  } catch (thrown) {
    const what = 'Cannot read the body: it is no JSON, a JSON object is wanted';
    throw new AppError('usage', what, { cause: thrown });
  }
  return readAs(schema, { ...parseYaml('body', json), whole: 'the body' });
}
