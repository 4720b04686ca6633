import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { plainBytes } from '../bytes.ts';
import { markedEncoding } from './plain-text.ts';

/** Bytes read to recognise a format: the first lines of even the widest tables. */
const HEAD_BYTES = 65_536;

const GZIP = '\x1f\x8b';

/** How files begin that are refused, and why. */
const OTHERS = [
  ['PK', 'it is a ZIP archive in another one, a file of rows is wanted'],
  [
    'FEA1',
    'it is a Feather file of version 1, one of version 2 is wanted: ' +
      '`pandas.read_feather(...).to_feather(...)` writes it',
  ],
  [
    '\xff\xff\xff\xff',
    'it is a stream of Arrow, which may break off unseen, a file (Feather) is wanted: ' +
      '`polars.read_ipc_stream(...).write_ipc(...)` writes one',
  ],
] as const;

/** How a pointer of Git LFS begins, which may lie in place of a file, in packages too. */
const POINTER = 'version https://git-lfs.github.com/spec/';

/** How files of rows begin that are not text. */
const FORMS = [
  ['PAR1', 'parquet'],
  ['ARROW1', 'arrow'],
] as const;

/** The beginning of a file. */
export interface FileHead {
  readonly file: string;
  /** Without its folder. */
  readonly name: string;
  readonly form: 'text' | 'parquet' | 'arrow';
  readonly isGzip: boolean;
  readonly sizeBytes: number;
  /** The first whole lines; '' if the file is not text. */
  readonly text: string;
  /** Its encoding, if it begins with a byte order mark. */
  readonly encoding?: ReturnType<typeof markedEncoding>;
}

/** Reads the beginning of a file. @throws {TypeError} when it is empty or of a refused kind. */
export async function readHead(file: string): Promise<FileHead> {
  const name = basename(file);
  const { size: sizeBytes } = await stat(file);
  const magic = await firstBytes(file);
  if (magic.length === 0) throw new TypeError('it is empty, rows are wanted');
  const [, form] = FORMS.find(([first]) => magic.startsWith(first)) ?? [];
  if (form !== undefined) return { file, name, form, isGzip: false, sizeBytes, text: '' };
  const other = OTHERS.find(([first]) => magic.startsWith(first));
  if (other !== undefined) throw new TypeError(other[1]);
  const isGzip = magic.startsWith(GZIP);
  const bytes = await firstPlain(file);
  const encoding = markedEncoding(bytes);
  const text = wholeLines(bytes, encoding);
  if (text.trim() === '') throw new TypeError('it is empty, rows are wanted');
  if (text.startsWith(POINTER)) {
    throw new TypeError('Git has put a pointer in its place, the file is wanted: `git lfs pull`');
  }
  if (text.includes('\u0000')) {
    throw new TypeError('it is no text as UTF-8, CSV, JSON, Parquet or Feather is wanted');
  }
  return { file, name, form: 'text', isGzip, sizeBytes, text, encoding };
}

async function firstBytes(file: string): Promise<string> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

function wholeLines(bytes: Uint8Array, encoding: FileHead['encoding']): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (bytes.length < HEAD_BYTES) return text;
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 1_000));
}

async function firstPlain(file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of plainBytes(createReadStream(file))) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks);
}
