import { printableJson } from '../app/index.ts';

/** Characters in a piece. A string holds half a billion at most. */
const PIECE = 1_000_000;

/**
 * The text of a JSON document as `JSON.stringify(document, null, 2)` writes it, plus a line end, in
 * pieces: a journal of some days does not fit in one string. Iterables, such as generators, are
 * written as lists. Invisible characters are escaped, since a terminal may show the text.
 */
export function* jsonPieces(document: unknown): Generator<string> {
  let piece = '';
  for (const text of textsOf(document, '\n')) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield printableJson(piece);
    piece = '';
  }
  yield `${printableJson(piece)}\n`;
}

/** `indent`: a line end and the blanks that begin the next line. */
function* textsOf(value: unknown, indent: string): Generator<string> {
  const inner = `${indent}  `;
  if (isList(value)) {
    yield '[';
    let parting = inner;
    for (const one of value) {
      yield parting + (JSON.stringify(one, null, 2) ?? 'null').replaceAll('\n', inner);
      parting = `,${inner}`;
    }
    yield parting === inner ? ']' : `${indent}]`;
  } else if (isDocument(value)) {
    yield '{';
    let parting = inner;
    for (const [name, of] of Object.entries(value)) {
      if (of === undefined) continue;
      yield `${parting}${JSON.stringify(name)}: `;
      yield* textsOf(of, inner);
      parting = `,${inner}`;
    }
    yield parting === inner ? '}' : `${indent}}`;
  } else {
    yield JSON.stringify(value, null, 2).replaceAll('\n', indent);
  }
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Whether a value is written key by key, without a `toJSON` of its own. */
function isDocument(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
