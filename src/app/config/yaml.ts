import { readFileSync } from 'node:fs';
import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { messageOf } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';

/** A YAML file with the place of everything in it. */
export interface LocatedYaml {
  readonly file: string;
  readonly value: unknown;
  /** `file:line:column` of the value at that path; of its key when `key` is given. */
  locate(path: readonly PropertyKey[], key?: string): string;
}

/** Reads a YAML file. @throws {AppError} `configuration` when it cannot be read. */
export function readYamlFile(file: string): LocatedYaml {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    const what = isMissing ? 'there is no such file, a deployment is wanted' : messageOf(thrown);
    throw new AppError('configuration', `Cannot read ${file}: ${what}`, { cause: thrown });
  }
  return parseYaml(file, text);
}

/** Reads YAML text. @throws {AppError} `configuration`, with file, line and column. */
export function parseYaml(file: string, text: string): LocatedYaml {
  const lines = new LineCounter();
  const document = documentOf(text, { lines, placeOf: (offset) => at(file, lines, offset) });
  return {
    file,
    value: document.toJS() ?? {},
    locate: (path, key) => at(file, lines, offsetOf(document.contents, path, key)),
  };
}

/** Reads one value in YAML. @throws {AppError} `configuration`, with the place that is given. */
export function parseValue(place: string, text: string): unknown {
  return documentOf(text, { lines: new LineCounter(), placeOf: () => place }).toJS();
}

interface Reading {
  readonly lines: LineCounter;
  readonly placeOf: (offset: number) => string;
}

/** @throws {AppError} `configuration` when it is no YAML, or such as could be misunderstood. */
function documentOf(text: string, { lines, placeOf }: Reading) {
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const error = document.errors[0] ?? document.warnings[0];
  if (error === undefined) return document;
  const what = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
  throw new AppError('configuration', `${placeOf(error.pos[0])}: Cannot read YAML: ${what}`);
}

function at(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line || 1}:${col || 1}`;
}

/** Where a path begins; the deepest ancestor that exists, where it does not. */
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
