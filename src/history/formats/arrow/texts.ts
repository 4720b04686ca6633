import { type Batch, Type } from '@uwdata/flechette';
import { plainBytesMax } from '../unzip.ts';

/** Bytes of a text's entry in a view, and of the longest text that stands in its entry. */
const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * Checks where the texts of a batch lie before they are made: with wrong offsets each one may be as
 * long as all together.
 *
 * @throws {RangeError} when one lies outside of the bytes that there are.
 */
export function checkTexts(batch: Batch<unknown>): void {
  const { typeId } = batch.type;
  if (typeId === Type.Utf8View) checkViews(batch);
  if (typeId === Type.Utf8 || typeId === Type.LargeUtf8) checkOffsets(batch);
}

function checkOffsets({ offsets, values, length }: Batch<unknown>): void {
  let before = 0;
  for (let row = 0; row <= length && length > 0; row++) {
    const offset = Number(offsets[row]);
    if (!(offset >= before && offset <= values.length)) throw astray(row);
    before = offset;
  }
}

function checkViews(batch: Batch<unknown>): void {
  const { data } = batch as unknown as { readonly data: readonly Uint8Array[] };
  const views = batch.values as Uint8Array;
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  let bytes = 0;
  for (let row = 0; row < batch.length; row++) {
    const at = VIEW_BYTES * row;
    const length = view.getUint32(at, true);
    bytes += length;
    if (length <= INLINE_BYTES) continue;
    const end = view.getUint32(at + 12, true) + length;
    if (!(end <= (data[view.getUint32(at + 8, true)]?.length ?? 0))) throw astray(row);
  }
  // Entries may share a text, but not without limit.
  const held = data.reduce((sum, { length }) => sum + length, views.length);
  if (bytes > plainBytesMax(held)) throw astray(batch.length);
}

function astray(row: number): RangeError {
  return new RangeError(`the text of row ${row} lies elsewhere`);
}
