import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../../kernel/index.ts';
import { strayIn } from '../environment.ts';
import { AppError } from '../errors.ts';
import { shellLine } from './command-line.ts';

/** What requests are signed with. */
export interface Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Names of the environment variables that hold the keys: those of `config/live.example.yaml`. */
export const KEY_VARIABLES: Keys = { accessKey: 'ZB_ACCESS_KEY', secretKey: 'ZB_SECRET_KEY' };

/** Name of the environment variable that holds the funds password where no person is asked for it. */
export const PASSWORD_VARIABLE = 'ZB_FUNDS_PASSWORD';

/** Environment variables, as Node has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Bits of a file's mode that let its group and everybody else in. */
const OTHERS = 0o077;

const keysSchema = z.strictObject({ accessKey: z.string().min(1), secretKey: z.string().min(1) });

/**
 * The keys that stand in the environment.
 *
 * @throws {AppError} `configuration` when one of them is not set or empty, or holds more than its key.
 */
export function keysFromEnvironment(environment: Environment, variables = KEY_VARIABLES): Keys {
  const value = (name: string): string => {
    const text = environment[name] ?? '';
    const stray = strayIn(text);
    if (text !== '' && stray === undefined) return text;
    const what =
      stray === undefined
        ? 'is not set, the keys are wanted in ' +
          `${variables.accessKey} and ${variables.secretKey}, or in a file (--key-file)`
        : `has ${stray}, the key alone is wanted`;
    throw new AppError(
      'configuration',
      `Cannot sign requests: the environment variable ${name} ${what}`,
    );
  };
  return { accessKey: value(variables.accessKey), secretKey: value(variables.secretKey) };
}

/**
 * The funds password where no person is asked for it.
 *
 * @throws {AppError} `configuration` when it is not set or empty.
 */
export function passwordFromEnvironment(environment: Environment): string {
  const password = environment[PASSWORD_VARIABLE];
  if (password !== undefined && password !== '') return password;
  throw new AppError(
    'configuration',
    `Cannot withdraw: the environment variable ${PASSWORD_VARIABLE} is not set, the funds ` +
      'password is wanted in it',
  );
}

/**
 * The keys that a file holds, as YAML: a line `accessKey: ...` and a line `secretKey: ...`. Only its
 * owner may have access to it.
 *
 * @throws {AppError} `configuration` when others may read it, or it holds no keys. Nothing of what
 * stands in it is told.
 */
export function keysFromFile(file: string): Keys {
  const keys = keysSchema.safeParse(parsed(readPrivate(file)));
  if (keys.success) return keys.data;
  throw new AppError(
    'configuration',
    `Cannot read the keys in ${file}: they are not there, a line "accessKey: ..." and a line ` +
      '"secretKey: ..." are wanted and nothing else',
  );
}

/** YAML with all values as texts; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    const document = parseDocument(text, { schema: 'failsafe' });
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch {
    // The reason would quote the file, and a key with it.
    return undefined;
  }
}

/** The file's text. Mode and text are those of the same file, even if it is replaced meanwhile. */
function readPrivate(file: string): string {
  const descriptor = openPrivate(file);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw unusable(file, 'it is no file, a file with the keys is wanted');
    if ((stat.mode & OTHERS) !== 0) {
      const mode = (stat.mode & 0o777).toString(8).padStart(3, '0');
      const wanted = `600 is wanted (${shellLine(['chmod', '600', file])})`;
      throw unusable(file, `its mode is ${mode}, which lets others have it, ${wanted}`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function openPrivate(file: string): number {
  try {
    // Non-blocking: opening a named pipe would otherwise wait for ever.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    const what = isMissing
      ? 'there is no such file, a file with the keys is wanted'
      : messageOf(thrown);
    throw unusable(file, what);
  }
}

function unusable(file: string, what: string): AppError {
  return new AppError('configuration', `Cannot use the key file ${file}: ${what}`);
}
