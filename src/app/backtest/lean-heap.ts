import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Room in which new objects are made, bytes: more makes no run faster. Measured on ticks. */
const NEW_SPACE_MAX = 16 * 2 ** 20;

/** Garbage at which it is collected: so many bytes, or this share of what lives. */
const GARBAGE_MIN = 12 * 2 ** 20;
const GARBAGE_SHARE = 0.3;

/**
 * Keeps the garbage of a long run small: left alone, the engine lets it grow to several times of
 * what lives, whatever a run keeps. It holds for the process from then on.
 */
export class LeanHeap {
  readonly #collect: () => void;
  #isGrown = false;
  /** Bytes, as `bytesOf` counts them, beyond which garbage is collected. */
  #bytesMax: number | undefined;

  constructor() {
    setFlagsFromString(`--heap-growing-percent=${100 * GARBAGE_SHARE}`);
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc') as () => void;
  }

  /** To be called now and then: collects what has gathered, and stops the growth of the young room. */
  check(): void {
    const spaces = getHeapSpaceStatistics();
    const young = spaces.find(({ space_name }) => space_name === 'new_space');
    if (!this.#isGrown && (young === undefined || young.space_size >= NEW_SPACE_MAX)) {
      this.#isGrown = true;
      setFlagsFromString('--semi-space-growth-factor=1');
    }
    const bytes = bytesOf(spaces);
    this.#bytesMax ??= limitOf(bytes);
    if (bytes <= this.#bytesMax) return;
    this.#collect();
    this.#bytesMax = limitOf(bytesOf(getHeapSpaceStatistics()));
  }

  /** The values, with a check at each of them. */
  *watching<T>(values: Iterable<T>): Generator<T> {
    for (const value of values) {
      this.check();
      yield value;
    }
  }
}

/** What old objects take, and the room outside of the heap that objects hold. */
function bytesOf(spaces: ReturnType<typeof getHeapSpaceStatistics>): number {
  const old = spaces.find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
  return old + getHeapStatistics().external_memory;
}

function limitOf(livingBytes: number): number {
  return livingBytes + Math.max(GARBAGE_MIN, GARBAGE_SHARE * livingBytes);
}
