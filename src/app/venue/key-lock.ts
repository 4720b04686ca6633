import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Lock, tryLock } from '../../storage/index.ts';
import { wordsOfDisk } from '../disk.ts';
import { AppError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';

/** The environment variable that names another folder for the locks of keys. */
const FOLDER_VARIABLE = 'TRADEWIND_LOCKS';

/** Names of this very machine: a venue there is one, however it is called. */
const LOOPBACK = /^(localhost|\[::1\])$/;

/** A key at a venue, and who is to trade with it. */
export interface KeyUse {
  /** Its value: of it a hash alone is kept. */
  readonly accessKey: string;
  /** The environment variable that it stands in, for messages. */
  readonly variable: string;
  /** Address that signed operations go to. */
  readonly tradeUrl: string;
  /** The deployment in words, for the messages of other processes. */
  readonly deployment: string;
}

/** A key that is ours alone. */
export interface KeyLock extends Lock {
  /** Without its ending: files beside the lock may tell more of the key. */
  readonly path: string;
}

/**
 * Makes a key at a venue ours alone until it is let go: two that trade with one key overrun its
 * rate limit, and the timed cancels of each take the other's orders away.
 *
 * All processes of this user find the lock, in whatever folder and with whatever journal they run.
 * As that of a journal, it ends with its process, however that ends.
 *
 * @throws {AppError} `configuration`, naming the other process, or saying why there is no lock.
 */
export function lockKey(use: KeyUse): KeyLock {
  const { variable, tradeUrl, deployment } = use;
  const refuse = (what: string, cause?: unknown): AppError => {
    const action = `Cannot trade on ${new URL(tradeUrl).host} with the key in ${variable}`;
    return new AppError('configuration', `${action}: ${what}`, { cause });
  };
  let path = '';
  let lock: Lock | undefined;
  try {
    path = pathOf(use);
    makeFolder(dirname(path));
    lock = tryLock(path, `process ${process.pid}, ${deployment},`);
  } catch (thrown) {
    const lockOf = path === '' ? 'its lock' : `its lock ${path}`;
    const what = `${wordsOfDisk(thrown)} (${FOLDER_VARIABLE} names another folder)`;
    throw refuse(`${lockOf} cannot be taken: ${what}`, thrown);
  }
  if (lock !== undefined) return { ...lock, path };
  const owner = ownerOf(`${path}.owner`);
  throw refuse(`${owner} trades with it already, a key for each process is wanted`);
}

/** Where the lock is, without its ending. */
function pathOf({ tradeUrl, accessKey }: KeyUse): string {
  const key = `${placeOf(tradeUrl)} ${accessKey}`;
  return join(folderOfLocks(), createHash('sha256').update(key).digest('hex'));
}

/** A whole path: one that begins at the folder of the command is another one for each bot. */
function folderOfLocks(): string {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder) return wholePath(folder, FOLDER_VARIABLE);
  return join(
    wholePath(homeFolder(), 'the home folder of this user (HOME)'),
    '.tradewind',
    'locks',
  );
}

function wholePath(path: string, name: string): string {
  if (isAbsolute(path)) return path;
  throw new TypeError(`${name} is ${path || 'empty'}, a whole path is wanted`);
}

/** Empty where the system knows of none, as for a number of a user that nobody has named. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** Host and port of an address, whatever its path. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname.replace(LOOPBACK, '127.0.0.1')}:${port}`;
}

/** The owner of the lock, as the file beside it names them. */
function ownerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'another process';
  }
}
