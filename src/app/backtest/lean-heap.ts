import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Room in which new objects are made, bytes: more makes no run faster. Measured on ticks. */
const NEW_SPACE_MAX = 16 * 2 ** 20;

/** Garbage among old objects at which it is collected: so many bytes, or this share of what lives. */
const GARBAGE_MIN = 12 * 2 ** 20;
const GARBAGE_SHARE = 0.3;

/**
 * Keeps the garbage of a long run small: left alone, the engine lets it grow to several times of
 * what lives, whatever a run keeps. It holds for the process from then on.
 */
export class LeanHeap {
  readonly #collect: () => void;
  #isGrown = false;
  /** Bytes of old objects beyond which garbage is collected. */
  #oldMax: number | undefined;

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
    const oldBytes = oldBytesOf(spaces);
    this.#oldMax ??= limitOf(oldBytes);
    if (oldBytes <= this.#oldMax) return;
    this.#collect();
    this.#oldMax = limitOf(oldBytesOf(getHeapSpaceStatistics()));
  }
}

function oldBytesOf(spaces: ReturnType<typeof getHeapSpaceStatistics>): number {
  return spaces.find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}

function limitOf(livingBytes: number): number {
  return livingBytes + Math.max(GARBAGE_MIN, GARBAGE_SHARE * livingBytes);
}
