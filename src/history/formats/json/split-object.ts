import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from '../../bytes.ts';
import { quote } from '../../values.ts';

/** Most bytes beside the rows, which are held in memory: no exchange answers with more. */
const AROUND_BYTES_MAX = 33_554_432;

const [TEXT, ESCAPE, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [BEGIN_OBJECT, END_OBJECT, BEGIN_LIST, END_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The error for a file that ends too soon. */
export const BROKEN_OFF = 'it breaks off, a whole file is wanted';

/** Where a JSON object has its rows, and where they are written to. */
export interface ObjectToSplit {
  /** The keys down to the list. */
  readonly path: readonly string[];
  /** The folder for the file of rows. */
  readonly folder: string;
}

/** The rows of an object, apart from what stands around them. */
export interface SplitObject {
  /** A file that is a list of the rows. */
  readonly file: string;
  /** The object, with an empty list in place of its rows; of several the first. */
  readonly around: unknown;
  /** The objects that follow it, also without rows. */
  readonly others: readonly unknown[];
}

/**
 * Splits a JSON object: its rows go to a file that can be read row by row, the rest is held in
 * memory. The rows of several objects go to one file.
 *
 * @throws {TypeError} when it breaks off, is not JSON around its rows, or holds much beside them.
 */
export async function splitObject(
  source: ByteSource,
  { path, folder }: ObjectToSplit,
): Promise<SplitObject> {
  const rows = join(folder, 'rows.json');
  await using handle = await open(rows, 'w');
  const splitter = new Splitter(path);
  await handle.appendFile('[');
  for await (const chunk of source) {
    for (const part of splitter.take(chunk)) await handle.appendFile(part);
  }
  await handle.appendFile(']');
  const [around, ...others] = splitter.end();
  return { file: rows, around, others };
}

/** Tells bytes of rows from those around them. */
class Splitter {
  readonly #path: readonly string[];
  /** The current key of each open object; undefined for each open list. */
  readonly #keys: (string | undefined)[] = [];
  #around: Uint8Array[] = [];
  /** The bytes around the rows of all objects so far. */
  #aroundBytes = 0;
  readonly #objects: unknown[] = [];
  /** The bytes of the last text outside of rows. */
  #text: number[] = [];
  #isText = false;
  #isEscaped = false;
  /** How many brackets are open within the rows; undefined outside of them. */
  #depth: number | undefined;
  /** Whether any list had a row yet, and whether a comma is due before the next row. */
  #hasRows = false;
  #isCommaDue = false;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  /** Takes the next bytes; returns those of rows. */
  take(chunk: Uint8Array): Uint8Array[] {
    const rows: Uint8Array[] = [];
    let from = 0;
    const to = (end: number): void => {
      const bytes = chunk.subarray(from, end);
      if (this.#depth === undefined) this.#keep(bytes);
      else rows.push(...this.#apart(bytes));
      from = end;
    };
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#isText) this.#takeText(byte);
      else if (byte === TEXT) this.#beginText();
      else if (this.#depth !== undefined) {
        if (!this.#endsRows(byte)) continue;
        to(at);
        this.#depth = undefined;
      } else if (this.#takeAround(byte)) {
        to(at + 1);
        this.#depth = 0;
        this.#isCommaDue = this.#hasRows;
      } else if (byte === END_OBJECT && this.#keys.length === 0) {
        to(at + 1);
        this.#endObject();
      }
    }
    to(chunk.length);
    return rows;
  }

  /** The objects, without their rows. */
  end(): readonly unknown[] {
    if (this.#keys.length > 0) throw new TypeError(BROKEN_OFF);
    return this.#objects;
  }

  #endObject(): void {
    this.#objects.push(parsed(Buffer.concat(this.#around).toString('utf8')));
    this.#around = [];
  }

  /** Bytes of rows, with a comma before the first row of a further list; lists may be empty. */
  #apart(bytes: Uint8Array): Uint8Array[] {
    if (this.#hasRows && !this.#isCommaDue) return [bytes];
    if (bytes.every((byte) => SPACES.has(byte))) return [];
    const comma = this.#isCommaDue ? [Uint8Array.of(COMMA)] : [];
    this.#hasRows = true;
    this.#isCommaDue = false;
    return [...comma, bytes];
  }

  #beginText(): void {
    if (this.#keys.length === 0) throw noJson();
    this.#isText = true;
    this.#text = [];
  }

  #takeText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === ESCAPE) this.#isEscaped = true;
    else if (byte === TEXT) {
      this.#isText = false;
      return;
    }
    if (this.#depth === undefined) this.#text.push(byte);
  }

  /** Takes a byte outside of rows and texts; returns whether it begins the rows. */
  #takeAround(byte: number): boolean {
    const keys = this.#keys;
    if (byte === BEGIN_OBJECT) keys.push('');
    else if (keys.length === 0) {
      if (!SPACES.has(byte)) throw noJson();
    } else if (byte === COLON) {
      keys[keys.length - 1] = parsed(`"${Buffer.from(this.#text).toString('utf8')}"`) as string;
    } else if (byte === END_OBJECT || byte === END_LIST) {
      keys.pop();
    } else if (byte === BEGIN_LIST) {
      const isHere =
        keys.length === this.#path.length && this.#path.every((key, at) => key === keys[at]);
      keys.push(undefined);
      return isHere;
    }
    return false;
  }

  /** Takes a byte within rows; returns whether it ends them. */
  #endsRows(byte: number): boolean {
    if (byte === BEGIN_OBJECT || byte === BEGIN_LIST) this.#depth!++;
    else if (byte === END_OBJECT || byte === END_LIST) this.#depth!--;
    if (this.#depth! >= 0) return false;
    this.#keys.pop();
    return true;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#aroundBytes += bytes.length;
    if (this.#aroundBytes > AROUND_BYTES_MAX) {
      const megabytes = AROUND_BYTES_MAX / 1_048_576;
      throw new TypeError(
        `it holds more than ${megabytes} MB beside its rows ("${this.#path.join('.')}"), a list of ` +
          'rows alone is wanted',
      );
    }
    this.#around.push(bytes.slice());
  }
}

/**
 * Parses JSON. Numbers stay texts as written, because some have more digits than a double. `what`:
 * the subject of the error's message. @throws {TypeError} when the text is not JSON.
 */
export function parsed(text: string, what = AROUND): unknown {
  try {
    return JSON.parse(text, asWritten);
  } catch (cause) {
    throw noNumber(text, what) ?? noJson(what, cause);
  }
}

/** Texts, and the words that Python writes in place of numbers. */
const WORDS = /"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g;
const SHOWN = 30;

/**
 * The error for NaN or Infinity, which JSON does not have, with its place; undefined without one.
 */
function noNumber(text: string, what: string): TypeError | undefined {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (word.startsWith('"')) continue;
    const before = text.slice(Math.max(0, index - SHOWN), index);
    return new TypeError(`${what} holds ${word} (behind ${quote(before)}), null is wanted there`);
  }
  return undefined;
}

function asWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

const AROUND = 'around its rows it';

function noJson(what = AROUND, cause?: unknown): TypeError {
  return new TypeError(`${what} is no JSON, JSON is wanted`, { cause });
}
