import { closeSync, createReadStream, openSync } from 'node:fs';
import { basename } from 'node:path';
import type { MarketRecord } from '../../domain/index.ts';
import {
  describeRecording,
  openRecording,
  type RecordingDescription,
  requireFile,
} from '../../history/index.ts';
import { messageOf, withoutAction } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';

/** A recording on disk. */
export interface RecordingFile extends RecordingDescription {
  readonly file: string;
  /** May be iterated more than once. */
  readonly records: AsyncIterable<MarketRecord>;
}

/** Opens a recording and tells what it is. @throws {AppError} `recording` when it can't be read. */
export async function openRecordingFile(file: string): Promise<RecordingFile> {
  try {
    requireFile(file);
    closeSync(openSync(file, 'r'));
    const bytes = { [Symbol.asyncIterator]: () => createReadStream(file)[Symbol.asyncIterator]() };
    const name = basename(file);
    const description = await describeRecording(bytes, { name });
    return { ...description, file, records: openRecording(bytes, { name }) };
  } catch (thrown) {
    const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    const what = isMissing
      ? ': there is no such file, a recording is wanted'
      : behindName(withoutAction(messageOf(thrown)), basename(file));
    throw new AppError('recording', `Cannot replay ${file}${what}`, { cause: thrown });
  }
}

/** A message as it follows the name of a file, without that name where it begins with it. */
function behindName(what: string, name: string): string {
  return what.startsWith(`${name}:`) ? what.slice(name.length) : `: ${what}`;
}
