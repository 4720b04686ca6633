import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Room in which new objects are made, bytes: more makes no run faster. Measured on ticks. */
const NEW_SPACE_MAX = 16 * 2 ** 20;

/** Garbage at which it is collected: so many bytes at first, or this share of what lives. */
const GARBAGE_MIN = 12 * 2 ** 20;
const GARBAGE_SHARE = 0.3;

/**
 * Collecting costs its time, and the engine what it had learnt of the code: where it takes more than
 * this share of a run, or comes again sooner than that, twice the garbage is let gather.
 */
const TIME_SHARE_MAX = 0.1;
const APART_MIN_MS = 1_000;

/** So much garbage is let gather only where much is renewed: the engine is left alone then. */
const GARBAGE_GREAT = 8 * GARBAGE_MIN;

/** Where objects grow old, or are too large to be moved. */
const OLD_SPACES = ['old_space', 'large_object_space'];

/**
 * Keeps the garbage of a long run small: left alone, the engine lets it grow to several times of
 * what lives, whatever a run keeps. It holds for the process from then on.
 */
export class LeanHeap {
  readonly #collect: () => void;
  #isGrown = false;
  #isPlaying = true;
  /** Bytes, as `bytesOf` counts them, beyond which garbage is collected. */
  #bytesMax: number | undefined;
  #garbageMin = GARBAGE_MIN;
  readonly #beganMs = performance.now();
  /** How long collecting took so far, and when it was over last. */
  #spentMs = 0;
  #collectedMs = performance.now();

  constructor() {
    growOldBy(100 * GARBAGE_SHARE);
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc') as () => void;
  }

  /** To be called now and then: collects what has gathered, and stops the growth of the young room. */
  check(): void {
    const spaces = getHeapSpaceStatistics();
    const young = spaces.find(({ space_name }) => space_name === 'new_space');
    if (!this.#isGrown && (young === undefined || young.space_size >= NEW_SPACE_MAX)) {
      this.#isGrown = true;
      growYoungBy(1);
    }
    const bytes = bytesOf(spaces);
    this.#bytesMax ??= this.#limitOf(bytes);
    if (bytes <= this.#bytesMax) return;
    this.#collectTimed();
    this.#bytesMax = this.#limitOf(bytesOf(getHeapSpaceStatistics()));
  }

  /**
   * The values, to be gone through as often as they can be, with a check at each so manieth. What
   * collecting costs then changes nothing: a run is soon written.
   */
  watching<T>(values: Iterable<T>, every: number): Iterable<T> {
    this.#isPlaying = false;
    return { [Symbol.iterator]: () => this.#watched(values, every) };
  }

  *#watched<T>(values: Iterable<T>, every: number): Generator<T> {
    let count = 0;
    for (const value of values) {
      if (count++ % every === 0) this.check();
      yield value;
    }
  }

  /** A strategy that keeps much and renews it would be copied and collected all the time. */
  #collectTimed(): void {
    const startMs = performance.now();
    this.#collect();
    const endMs = performance.now();
    const isSoon = startMs - this.#collectedMs < APART_MIN_MS;
    this.#collectedMs = endMs;
    this.#spentMs += endMs - startMs;
    const isCostly = this.#spentMs > TIME_SHARE_MAX * (endMs - this.#beganMs);
    if (!(isSoon || isCostly) || !this.#isPlaying || this.#garbageMin === GARBAGE_GREAT) return;
    this.#garbageMin *= 2;
    if (this.#garbageMin === GARBAGE_GREAT) growFreely();
  }

  #limitOf(livingBytes: number): number {
    return livingBytes + Math.max(this.#garbageMin, GARBAGE_SHARE * livingBytes);
  }
}

/** As the engine does it by itself. */
function growFreely(): void {
  growOldBy(0);
  growYoungBy(2);
}

/** How much garbage the engine by itself lets gather, percent of what lives: 0 is as it likes. */
function growOldBy(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** How much the room for new objects grows whenever much of it lives on: 1 is not at all. */
function growYoungBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** What old objects take, and the room outside of the heap that objects hold. */
function bytesOf(spaces: ReturnType<typeof getHeapSpaceStatistics>): number {
  let bytes = getHeapStatistics().external_memory;
  for (const { space_name, space_used_size } of spaces) {
    if (OLD_SPACES.includes(space_name)) bytes += space_used_size;
  }
  return bytes;
}
