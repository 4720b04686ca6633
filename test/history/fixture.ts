import { createReadStream } from 'node:fs';
import type { Level, LevelChange, MarketRecord } from '../../src/domain/index.ts';
import { type ByteSource, plainBytes } from '../../src/history/bytes.ts';
import type { DepthDiff, DepthSnapshot } from '../../src/history/depth-synchronizer.ts';
import { linesOf } from '../../src/history/lines.ts';
import { RawReader } from '../../src/history/raw.ts';

/** Text or bytes as a source that can be read again, in chunks. Default: of 7 bytes. */
export function sourceOf(content: string | Uint8Array, chunkBytes = 7): ByteSource {
  const bytes = Buffer.from(content);
  return {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        yield bytes.subarray(at, at + chunkBytes);
      }
    },
  };
}

export function fileSource(path: string): ByteSource {
  return { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() };
}

/** The records of a raw recording. */
export async function recordsIn(source: ByteSource): Promise<MarketRecord[]> {
  const reader = new RawReader();
  const records: MarketRecord[] = [];
  for await (const lines of linesOf(plainBytes(source))) {
    records.push(...lines.flatMap((line) => reader.read(line)));
  }
  return [...records, ...reader.end()];
}

export function recordsOf(content: string | Uint8Array): Promise<MarketRecord[]> {
  return recordsIn(sourceOf(content));
}

export function diffOf(overrides: Partial<DepthDiff> = {}): DepthDiff {
  return { time: 1_000, firstUpdateId: 1, lastUpdateId: 1, changes: [], ...overrides };
}

export function snapshotOf(overrides: Partial<DepthSnapshot> = {}): DepthSnapshot {
  return { time: 1_000, lastUpdateId: 0, bids: [], asks: [], ...overrides };
}

/** The plainest book there is. */
export class NaiveBook {
  readonly #levels = { buy: new Map<number, number>(), sell: new Map<number, number>() };

  replace(bids: readonly Level[], asks: readonly Level[]): void {
    this.#levels.buy = new Map(bids);
    this.#levels.sell = new Map(asks);
  }

  change([side, price, amount]: LevelChange): void {
    if (amount === 0) this.#levels[side].delete(price);
    else this.#levels[side].set(price, amount);
  }

  get best(): { bid: Level; ask: Level } {
    const bid = Math.max(...this.#levels.buy.keys());
    const ask = Math.min(...this.#levels.sell.keys());
    return {
      bid: [bid, this.#levels.buy.get(bid) ?? 0],
      ask: [ask, this.#levels.sell.get(ask) ?? 0],
    };
  }
}
