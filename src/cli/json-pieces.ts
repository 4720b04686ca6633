import { printableJson } from '../app/index.ts';

/** So many characters at once: one string holds half a billion of them at most. */
const PIECE = 1_000_000;

/**
 * The text of a JSON document, as `JSON.stringify(document, null, 2)` has it, and the end of its line,
 * in pieces: a journal of some days is more than one string holds. What can be walked through, as a
 * generator, is a list. A terminal may read it: what cannot be seen there is escaped.
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

/** `indent`: the end of a line and the blanks that the next one begins with. */
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

/** Whether it is written name by name, not in a way of its own. */
function isDocument(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
