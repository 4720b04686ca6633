import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

const LINE_END = 0x0a;
const WANTED =
  'text as UTF-8 is wanted: `iconv -f WINDOWS-1252 -t UTF-8` makes it of Latin-1, as older ' +
  'programs save it';

/** Where a text is not UTF-8, and what is wanted; undefined if it is UTF-8. */
export async function encodingTrouble(file: string): Promise<string | undefined> {
  let number = 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    const bytes = Buffer.concat([rest, chunk as Uint8Array]);
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
      const line = bytes.subarray(from, end);
      if (!isUtf8(line)) return troubleText(line, number);
      number++;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  return isUtf8(rest) ? undefined : troubleText(rest, number);
}

function troubleText(line: Buffer, number: number): string {
  const at = firstInvalid(line);
  const byte = line[at]!.toString(16).toUpperCase();
  return `line ${number} is no UTF-8 (its byte ${at + 1} is 0x${byte}), ${WANTED}`;
}

/** The first byte that is no part of a character, from 0. */
function firstInvalid(line: Buffer): number {
  let at = 0;
  for (let length = 0; at < line.length; at += length) {
    length = lengthOf(line[at]!);
    if (!isUtf8(line.subarray(at, at + length))) break;
  }
  return Math.min(at, line.length - 1);
}

/** The bytes of the character that a byte begins. Source: RFC 3629, 3. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
