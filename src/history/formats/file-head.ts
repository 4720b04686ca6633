import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { plainBytes } from '../bytes.ts';

/** Text that is enough to tell a format by: the first lines, of the widest tables too. */
const HEAD_BYTES = 65_536;

/** The beginning of a file. */
export interface FileHead {
  readonly file: string;
  /** Without its folder. */
  readonly name: string;
  readonly form: 'text' | 'parquet';
  readonly isGzip: boolean;
  readonly sizeBytes: number;
  /** The first whole lines; '' for Parquet. */
  readonly text: string;
}

/** Reads the beginning of a file. @throws {TypeError} when it is empty or no text. */
export async function readHead(file: string): Promise<FileHead> {
  const name = basename(file);
  const { size: sizeBytes } = await stat(file);
  const magic = await firstBytes(file);
  if (magic.length === 0) throw new TypeError('it is empty, rows are wanted');
  if (magic.toString('latin1') === 'PAR1') {
    return { file, name, form: 'parquet', isGzip: false, sizeBytes, text: '' };
  }
  if (magic.toString('latin1', 0, 2) === 'PK') {
    throw new TypeError('it is a ZIP archive in another one, a file of rows is wanted');
  }
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b;
  const text = await firstText(file);
  if (text.trim() === '') throw new TypeError('it is empty, rows are wanted');
  if (text.includes('\u0000')) throw new TypeError('it is no text, CSV, JSON or Parquet is wanted');
  return { file, name, form: 'text', isGzip, sizeBytes, text };
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function firstText(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of plainBytes(createReadStream(file))) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return length < HEAD_BYTES ? text : text.slice(0, Math.max(text.lastIndexOf('\n'), 1_000));
}
