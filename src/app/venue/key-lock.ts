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

/** Names of this machine. A venue on it is the same under each of them. */
const LOOPBACK = /^(localhost|\[::1\])$/;

/** A key at a venue, and who is to trade with it. */
export interface KeyUse {
  /** The value of the key, of which only a hash is kept. */
  readonly accessKey: string;
  /** The environment variable that holds the key, for messages. */
  readonly variable: string;
  /** The address that signed operations go to. */
  readonly tradeUrl: string;
  /** The deployment in words, for the messages of other processes. */
  readonly deployment: string;
}

/** The lock on a key that only this process uses. */
export interface KeyLock extends Lock {
  /** Path of the lock, without its ending: other files of the key may stand beside it. */
  readonly path: string;
}

/**
 * Locks a key at a venue for this process until the lock is released: two processes with one key
 * overrun its rate limit, and the timed cancels of each take the other's orders away.
 *
 * All processes of this user find the lock, in whatever folder and with whatever journal they run.
 * Like a journal's lock, it ends with its process, however that ends.
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

/** The path of the lock, without its ending. */
function pathOf({ tradeUrl, accessKey }: KeyUse): string {
  const key = `${placeOf(tradeUrl)} ${accessKey}`;
  return join(folderOfLocks(), createHash('sha256').update(key).digest('hex'));
}

/** The folder of locks as an absolute path: a relative one would differ from bot to bot. */
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

/** The home folder; empty where the system knows of none, as for a user id without a name. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** Host and port of an address, without its path. */
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
