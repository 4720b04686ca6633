import type { Depth, EventOf, Level } from '../../domain/index.ts';

type DepthEvent = EventOf<'depth'>;

/** A depth whose levels are one text: depths are most of a journal, and levels most of a depth. */
interface PackedDepth extends Omit<DepthEvent, 'bids' | 'asks'> {
  /** How many of the levels are bids; the others are asks. */
  readonly bidLevels: number;
  /** Price and amount of each level as doubles, least byte first, in Base64. */
  readonly levels: string;
}

const DOUBLE_BYTES = 8;
const LEVEL_BYTES = 2 * DOUBLE_BYTES;

let scratch = Buffer.alloc(100 * LEVEL_BYTES);
let view = viewOf(scratch);

/** Packs the levels into one text: copying doubles takes a tenth of the time of writing digits. */
export function packedDepth({ bids, asks, ...rest }: DepthEvent): PackedDepth {
  const bytes = (bids.length + asks.length) * LEVEL_BYTES;
  if (bytes > scratch.length) {
    scratch = Buffer.alloc(bytes);
    view = viewOf(scratch);
  }
  write(asks, write(bids, 0));
  return { ...rest, bidLevels: bids.length, levels: scratch.toString('base64', 0, bytes) };
}

/** Undoes `packedDepth`. */
export function unpackedDepth({ bidLevels, levels, ...rest }: PackedDepth): DepthEvent {
  const bytes = Buffer.from(levels, 'base64');
  const all = read(viewOf(bytes), bytes.length / LEVEL_BYTES);
  return { ...rest, bids: all.slice(0, bidLevels), asks: all.slice(bidLevels) };
}

function write(levels: Depth['bids'], at: number): number {
  let next = at;
  for (const level of levels) {
    view.setFloat64(next, level[0], true);
    view.setFloat64(next + DOUBLE_BYTES, level[1], true);
    next += LEVEL_BYTES;
  }
  return next;
}

function read(bytes: DataView, count: number): readonly Level[] {
  return Array.from({ length: count }, (_, index) => {
    const at = index * LEVEL_BYTES;
    return [bytes.getFloat64(at, true), bytes.getFloat64(at + DOUBLE_BYTES, true)];
  });
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
