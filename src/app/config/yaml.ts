import { readFileSync } from 'node:fs';
import {
  type Alias,
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import { getOrInsert, messageOf } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import { refuseNamedPipe } from '../named-pipe.ts';
import { didYouMeanPath } from './suggest.ts';
import { parserWords } from './yaml-words.ts';

/** A YAML file that tells the place of everything in it. */
export interface LocatedYaml {
  readonly file: string;
  readonly value: unknown;
  /** `file:line:column` of the value at that path; of its key when `key` is given. */
  locate(path: readonly PropertyKey[], key?: string): string;
  /** The path as its setting was written. Default: with entries of lists by their number. */
  readonly calls?: (path: readonly PropertyKey[]) => string | undefined;
  /** What messages call the whole. Default: this file. */
  readonly whole?: string;
}

/**
 * Reads a YAML file.
 *
 * `wanted`: what the file is to describe, for messages. Default: a deployment.
 *
 * @throws {AppError} `configuration` when it cannot be read.
 */
export function readYamlFile(file: string, { wanted = 'a deployment' } = {}): LocatedYaml {
  let text: string;
  try {
    refuseNamedPipe(file);
    text = textOf(readFileSync(file));
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    const what = UNREADABLE[code]?.(wanted, file) ?? messageOf(thrown);
    throw new AppError('configuration', `Cannot read ${file}: ${what}`, { cause: thrown });
  }
  if (CODE.test(file)) {
    const what = `it is code, as of a strategy, ${wanted} (YAML) is wanted`;
    throw new AppError('configuration', `Cannot read ${file}: ${what}`);
  }
  return parseYaml(file, text);
}

/** Names of modules. A strategy passed as the deployment gets its own message, not YAML errors. */
const CODE = /\.[cm]?[jt]s$/;

/** Decodes UTF-8, or UTF-16 where a byte order mark says so. Source: YAML 1.2.2, 5.2. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  const isBigEndian = first === 0xfe && second === 0xff;
  return new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** Why a file cannot be read, by the system's error code. */
const UNREADABLE: Readonly<Record<string, (wanted: string, file: string) => string>> = {
  ENOENT: (wanted, file) =>
    `there is no such file${didYouMeanPath(file) || `, ${wanted} is wanted`}`,
  EISDIR: (wanted) => `it is a folder, the file of ${wanted} is wanted`,
  EACCES: () => 'you may not read it, permission is wanted',
};

/** Reads YAML text. @throws {AppError} `configuration`, with file, line and column. */
export function parseYaml(file: string, text: string): LocatedYaml {
  const lines = new LineCounter();
  const placeOf = (offset: number) => at(file, lines, offset);
  const { document, value } = read(text, { lines, placeOf });
  return {
    file,
    value: value ?? {},
    locate: (path, key) => at(file, lines, offsetOf(document.contents, path, key)),
  };
}

/**
 * Reads one value in YAML. @throws {AppError} `configuration`, with the given place and nothing of
 * the value, which may be a secret.
 */
export function parseValue(place: string, text: string): unknown {
  return read(text, { lines: new LineCounter(), placeOf: () => place, isSecret: true }).value;
}

interface Reading {
  readonly lines: LineCounter;
  readonly placeOf: (offset: number) => string;
  /** Whether messages must not quote the text. Default: false. */
  readonly isSecret?: boolean;
}

/** @throws {AppError} `configuration` for text that is no YAML, or that could be misunderstood. */
function read(text: string, { lines, placeOf, isSecret = false }: Reading) {
  const document = parseDocument(text, {
    ...{ lineCounter: lines, uniqueKeys: false, merge: true, logLevel: 'error' },
  });
  const refuse = (offset: number, what: string): never => {
    throw new AppError('configuration', `${placeOf(offset)}: Cannot read YAML: ${what}`);
  };
  const error = document.errors[0] ?? document.warnings[0];
  if (error !== undefined) {
    refuse(error.pos[0], isSecret && CITING.has(error.code) ? A_VALUE : wordsOf(error));
  }
  const repeated = repeatedKey(document);
  if (repeated !== undefined) {
    const [first, twice] = repeated;
    const where = placeOf(offsetAt(first));
    const what = `the key "${String(twice.value)}" stands at ${where} already, each once is wanted`;
    refuse(offsetAt(twice), isSecret ? A_VALUE : what);
  }
  const prototype = keyWhere(document, ({ value }) => value === '__proto__');
  if (prototype !== undefined) {
    refuse(offsetAt(prototype), 'a key is "__proto__", which is none, another one is wanted');
  }
  const lost = lostAlias(document);
  if (lost !== undefined) {
    const alias = isSecret ? 'the alias' : `the alias *${lost.source}`;
    const what = `${alias} has no anchor before it, one or a text in quotes is wanted`;
    refuse(lost.range?.[0] ?? 0, what);
  }
  const rounded = roundedNumber(document);
  if (rounded !== undefined) {
    // The number is not told: it may be an API key.
    const quotes = isSecret ? 'quotes that the shell leaves alone' : 'quotes';
    const what = `a whole number has more digits than are kept, one in ${quotes} is wanted`;
    refuse(offsetAt(rounded), what);
  }
  return {
    document,
    value: plainValueOf(document, (what) => refuse(0, isSecret ? A_VALUE : what)),
  };
}

/** An error of the parser in plain words, without its place. */
function wordsOf(error: YAMLParseError | YAMLWarning): string {
  if (error.code === 'MULTIPLE_DOCS') return 'a second document begins here, one alone is wanted';
  return parserWords(error);
}

/** A key that a group has twice: where it stands first, and where it stands again. */
function repeatedKey(document: Document): readonly [Scalar, Scalar] | undefined {
  // Not left to the parser, which would compare each key with each other one.
  const known = new Map<YAMLMap, Map<unknown, Scalar>>();
  let first: Scalar | undefined;
  const twice = keyWhere(document, (key, map) => {
    const keys = getOrInsert(known, map, () => new Map<unknown, Scalar>());
    first = keys.get(key.value);
    keys.set(key.value, key);
    return first !== undefined;
  });
  return first === undefined || twice === undefined ? undefined : [first, twice];
}

/** The first key of any group for which `holds` is true. */
function keyWhere(
  document: Document,
  holds: (key: Scalar, map: YAMLMap) => boolean,
): Scalar | undefined {
  let found: Scalar | undefined;
  visit(document, {
    Map: (_key, map) => {
      found = map.items.map(({ key }) => key).find((key) => isScalar(key) && holds(key, map)) as
        | Scalar
        | undefined;
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

const offsetAt = ({ range }: Scalar): number => range?.[0] ?? 0;

/** Errors whose message quotes a part of the text. */
const CITING: ReadonlySet<string> = new Set([
  ...['BAD_COLLECTION_TYPE', 'BAD_DIRECTIVE', 'BAD_DQ_ESCAPE'],
  ...['TAG_RESOLVE_FAILED', 'UNEXPECTED_TOKEN'],
]);
const A_VALUE = 'it is none, a value in YAML is wanted';

/**
 * The first alias without an anchor before it, found in a single walk. Resolving each alias takes a
 * walk for each: half a minute for some thousands.
 */
function lostAlias(document: Document): Alias | undefined {
  const anchors = new Set<string>();
  let lost: Alias | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (anchors.has(alias.source)) return undefined;
      lost = alias;
      return visit.BREAK;
    },
    Value: (_key, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  return lost;
}

/** A whole number written out, without a plus sign. */
const WHOLE = /^(?:-?\d+|0x[\da-f]+|0o[0-7]+)$/i;

/** The first whole number written out that a double cannot hold exactly: a seed, an id. */
function roundedNumber(document: Document): Scalar | undefined {
  let found: Scalar | undefined;
  visit(document, {
    Scalar: (_key, scalar) => {
      const { value, source = '' } = scalar;
      if (typeof value !== 'number' || Number.isSafeInteger(value)) return undefined;
      const [digits] = WHOLE.exec(source.replace('+', '')) ?? [];
      // Written as programs write this double, it means this double.
      if (digits === undefined || digits === String(value)) return undefined;
      if (Number.isFinite(value) && BigInt(digits) === BigInt(value)) return undefined;
      found = scalar;
      return visit.BREAK;
    },
  });
  return found;
}

/** The plain value. Some faults appear only here, such as aliases that multiply without end. */
function plainValueOf(document: Document, refuse: (what: string) => never): unknown {
  try {
    return document.toJS();
  } catch (thrown) {
    return refuse(messageOf(thrown));
  }
}

function at(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line || 1}:${col || 1}`;
}

/** The offset of a path; where it does not exist, that of its deepest existing ancestor. */
function offsetOf(root: Node | null, path: readonly PropertyKey[], key?: string): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of key === undefined ? path : [...path, key]) {
    const child = childOf(node, step);
    if (child === undefined) return offset;
    ({ node, offset } = child);
  }
  return offset;
}

function childOf(node: unknown, step: PropertyKey): { node: unknown; offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(
      (item) => isScalar(item.key) && String(item.key.value) === String(step),
    );
    if (!isPair(pair) || !isScalar(pair.key)) return undefined;
    return { node: pair.value, offset: pair.key.range?.[0] ?? 0 };
  }
  const items = (node as { items?: unknown[] } | null)?.items;
  const item = items?.[Number(step)];
  return isNode(item) ? { node: item, offset: item.range?.[0] ?? 0 } : undefined;
}
