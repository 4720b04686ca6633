import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Room in which new objects are made, bytes: more makes no run faster. Measured on ticks. */
const NEW_SPACE_MAX = 16 * 2 ** 20;

/**
 * Garbage at which it is collected, bytes, or this share of what lives: while a run is written, and
 * while it plays. It costs more than its own time: the engine lets go of compiled code that knows
 * the shape of objects of which none happens to live, and compiles it anew. A play that is left to
 * what the engine collects by itself, little by little, is a fifth faster. Measured on ticks.
 */
const GARBAGE_MIN = 12 * 2 ** 20;
const GARBAGE_OF_PLAY = 24 * 2 ** 20;
const GARBAGE_SHARE = 0.3;

/**
 * Garbage at which it is collected where so little gathers that nobody notices: where collecting as
 * often as that takes no more than this share of the time. A run over years, whose garbage comes
 * slowly, would end with as much of it as one whose orders make it at once.
 */
const GARBAGE_OF_IDLE = 8 * 2 ** 20;
const IDLE_SHARE = 0.02;
/** What collecting is taken to last, milliseconds, until it was done: a short run does without it. */
const FIRST_MS = 50;

/** Where collecting takes more than this share of a run, twice the garbage is let gather. */
const TIME_SHARE_MAX = 0.1;
/** Nobody minds so little: a run that has just begun would be judged by its first collection. */
const TIME_FREE_MS = 250;

/** A run that was soon over is written before much can gather: collecting takes this share at most. */
const WRITING_SHARE = 0.05;

/** So much garbage is let gather only where much is renewed: the engine is left alone then. */
const GARBAGE_GREAT = 4 * GARBAGE_OF_PLAY;

/** Where objects grow old, or are too large to be moved. */
const OLD_SPACES = ['old_space', 'large_object_space'];

/** What the engine is asked, and told. */
export interface Engine {
  /** Collects all garbage. */
  readonly collect: () => void;
  /** Bytes that new objects have room in, and that older ones take, with what they hold outside. */
  readonly bytes: () => { readonly young: number; readonly old: number };
  readonly setFlag: (flag: string) => void;
  /** Milliseconds since any moment. */
  readonly nowMs: () => number;
}

/**
 * Keeps the garbage of a long run small: left alone, the engine lets it grow to several times of
 * what lives, whatever a run keeps. It holds for the process from then on.
 */
export class LeanHeap {
  readonly #engine: Engine;
  #isGrown = false;
  #isPlaying = true;
  /** Bytes of older objects that lived when it was collected last. */
  #livingBytes: number | undefined;
  #garbageMin = GARBAGE_OF_PLAY;
  readonly #beganMs: number;
  /** How long collecting took so far, and the last time, which ended then. */
  #spentMs = 0;
  #lastMs = FIRST_MS;
  #lastEndMs: number;

  /** `engine`: that of this process, unless another is given. */
  constructor(engine: Engine = thisEngine()) {
    this.#engine = engine;
    this.#beganMs = engine.nowMs();
    this.#lastEndMs = this.#beganMs;
    this.#growOldBy(100 * GARBAGE_SHARE);
    this.#watchYoung();
  }

  /** To be called now and then: collects what has gathered, and stops the growth of the young room. */
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
   * The values, to be gone through as often as they can be, with a check at each so manieth. The
   * play is over then, and what collecting costs the code of it changes nothing any more.
   */
  watching<T>(values: Iterable<T>, every: number): Iterable<T> {
    if (this.#isPlaying) this.#endPlay();
    return { [Symbol.iterator]: () => this.#watched(values, every) };
  }

  /** What gathered until then goes at the next check. */
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

  /** A strategy that keeps much and renews it would be copied and collected all the time. */
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

  /** The share of all time that collecting had taken with another time. */
  #wouldSpend(): number {
    return (this.#spentMs + this.#lastMs) / (this.#engine.nowMs() - this.#beganMs);
  }

  #isDue(garbageBytes: number): boolean {
    if (garbageBytes <= Math.min(GARBAGE_OF_IDLE, this.#garbageMin)) return false;
    if (garbageBytes > Math.max(this.#garbageMin, GARBAGE_SHARE * this.#livingBytes!)) return true;
    return this.#lastMs <= IDLE_SHARE * (this.#engine.nowMs() - this.#lastEndMs);
  }

  /** As the engine does it by itself. */
  #growFreely(): void {
    this.#growOldBy(0);
    this.#growYoungBy(2);
  }

  /** How much garbage the engine by itself lets gather, percent of what lives: 0 is as it likes. */
  #growOldBy(percent: number): void {
    this.#engine.setFlag(`--heap-growing-percent=${percent}`);
  }

  /** How much the room for new objects grows whenever much of it lives on: 1 is not at all. */
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
