import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes for new objects: more makes no run faster. Measured on ticks. */
const NEW_SPACE_MAX = 16 * 2 ** 20;

/**
 * Bytes of garbage at which it is collected while a run is written, and while it plays; or this
 * share of the living bytes, if that is more. Collecting costs more than its own time: the engine
 * drops compiled code for shapes of which no object happens to live, and compiles it anew. A run
 * left to the engine's own gradual collection plays a fifth faster. Measured on ticks.
 */
const GARBAGE_MIN = 12 * 2 ** 20;
const GARBAGE_OF_PLAY = 24 * 2 ** 20;
const GARBAGE_SHARE = 0.3;

/**
 * Bytes of garbage at which it is collected already, if it gathers so slowly that collecting this
 * often takes no more than this share of the time. Otherwise a run over years would end with as
 * much garbage as one whose orders make it at once.
 */
const GARBAGE_OF_IDLE = 8 * 2 ** 20;
const IDLE_SHARE = 0.02;
/** The assumed time of the first collection, milliseconds: a short run does without one. */
const FIRST_MS = 50;

/** Where collecting takes more than this share of a run, twice as much garbage may gather. */
const TIME_SHARE_MAX = 0.1;
/** Time spent collecting that is free, so that the first collection does not judge a young run. */
const TIME_FREE_MS = 250;

/** Most of a run's time that collecting may take while it is written: short runs gather little. */
const WRITING_SHARE = 0.05;

/** A run that may gather this much keeps renewing much memory: the engine is left alone then. */
const GARBAGE_GREAT = 4 * GARBAGE_OF_PLAY;

/** Heap spaces of objects that have grown old or are too large to be moved. */
const OLD_SPACES = ['old_space', 'large_object_space'];

/** What is used of the JavaScript engine. */
export interface Engine {
  /** Collects all garbage. */
  readonly collect: () => void;
  /** Bytes reserved for new objects, and bytes of older ones with their memory outside the heap. */
  readonly bytes: () => { readonly young: number; readonly old: number };
  readonly setFlag: (flag: string) => void;
  /** Milliseconds since any moment. */
  readonly nowMs: () => number;
}

/**
 * Keeps the garbage of a long run small. Left alone, the engine lets it grow to several times the
 * living objects, whatever a run keeps. Its settings stay for the rest of the process.
 */
export class LeanHeap {
  readonly #engine: Engine;
  #isGrown = false;
  #isPlaying = true;
  /** Bytes of older objects that lived after the last collection. */
  #livingBytes: number | undefined;
  #garbageMin = GARBAGE_OF_PLAY;
  readonly #beganMs: number;
  /** How long collecting took in all and the last time, and when that ended. */
  #spentMs = 0;
  #lastMs = FIRST_MS;
  #lastEndMs: number;

  /** `engine`: the one of this process by default. */
  constructor(engine: Engine = thisEngine()) {
    this.#engine = engine;
    this.#beganMs = engine.nowMs();
    this.#lastEndMs = this.#beganMs;
    this.#growOldBy(100 * GARBAGE_SHARE);
    this.#watchYoung();
  }

  /** Collects garbage that is due and stops the growth of the young space. To be called often. */
  check(): void {
    this.#watchYoung();
    if (!this.#isPlaying && this.#wouldSpend() > WRITING_SHARE) return;
    const { old } = this.#engine.bytes();
    this.#livingBytes ??= old;
    if (!this.#isDue(old - this.#livingBytes)) return;
    this.#collectTimed();
    this.#livingBytes = this.#engine.bytes().old;
  }

  /**
   * The values, iterable as often as before, with a check at every `every`th one. The first call
   * ends the play, whose code collecting can no longer slow down.
   */
  watching<T>(values: Iterable<T>, every: number): Iterable<T> {
    if (this.#isPlaying) this.#endPlay();
    return { [Symbol.iterator]: () => this.#watched(values, every) };
  }

  /** Makes the next check collect whatever has gathered so far. */
  #endPlay(): void {
    this.#isPlaying = false;
    this.#garbageMin = Math.min(this.#garbageMin, GARBAGE_MIN);
    this.#livingBytes = Number.NEGATIVE_INFINITY;
  }

  *#watched<T>(values: Iterable<T>, every: number): Generator<T> {
    let count = 0;
    for (const value of values) {
      if (count++ % every === 0) this.check();
      yield value;
    }
  }

  #watchYoung(): void {
    if (this.#isGrown || this.#engine.bytes().young < NEW_SPACE_MAX) return;
    this.#isGrown = true;
    this.#growYoungBy(1);
  }

  /**
   * Collects, and raises the threshold if that has become costly: what a strategy keeps and renews
   * in bulk would be copied and collected all the time.
   */
  #collectTimed(): void {
    const { collect, nowMs } = this.#engine;
    const startMs = nowMs();
    collect();
    const endMs = nowMs();
    this.#lastMs = endMs - startMs;
    this.#lastEndMs = endMs;
    this.#spentMs += this.#lastMs;
    const isCostly = this.#spentMs > TIME_FREE_MS + TIME_SHARE_MAX * (endMs - this.#beganMs);
    if (!isCostly || !this.#isPlaying || this.#garbageMin === GARBAGE_GREAT) return;
    this.#garbageMin *= 2;
    if (this.#garbageMin === GARBAGE_GREAT) this.#growFreely();
  }

  /** The share of all time that collecting would have taken with one more collection. */
  #wouldSpend(): number {
    return (this.#spentMs + this.#lastMs) / (this.#engine.nowMs() - this.#beganMs);
  }

  #isDue(garbageBytes: number): boolean {
    if (garbageBytes <= Math.min(GARBAGE_OF_IDLE, this.#garbageMin)) return false;
    if (garbageBytes > Math.max(this.#garbageMin, GARBAGE_SHARE * this.#livingBytes!)) return true;
    return this.#lastMs <= IDLE_SHARE * (this.#engine.nowMs() - this.#lastEndMs);
  }

  /** Goes back to the engine's own defaults. */
  #growFreely(): void {
    this.#growOldBy(0);
    this.#growYoungBy(2);
  }

  /** How much garbage the engine lets gather by itself, percent of living bytes; 0: its default. */
  #growOldBy(percent: number): void {
    this.#engine.setFlag(`--heap-growing-percent=${percent}`);
  }

  /** By which factor the young space grows whenever much of it survives; 1: not at all. */
  #growYoungBy(factor: number): void {
    this.#engine.setFlag(`--semi-space-growth-factor=${factor}`);
  }
}

function thisEngine(): Engine {
  setFlagsFromString('--expose-gc');
  return {
    collect: runInNewContext('gc') as () => void,
    bytes: heldBytes,
    setFlag: setFlagsFromString,
    nowMs: () => performance.now(),
  };
}

function heldBytes(): ReturnType<Engine['bytes']> {
  let young = 0;
  let old = getHeapStatistics().external_memory;
  for (const { space_name, space_size, space_used_size } of getHeapSpaceStatistics()) {
    if (space_name === 'new_space') young = space_size;
    if (OLD_SPACES.includes(space_name)) old += space_used_size;
  }
  return { young, old };
}
