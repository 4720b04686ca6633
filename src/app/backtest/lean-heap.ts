import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Room in which new objects are made, bytes: more makes no run faster. Measured on ticks. */
const NEW_SPACE_MAX = 16 * 2 ** 20;

/** Garbage that may gather beside old objects before it is looked for, percent of these. */
const GARBAGE_PERCENT = 30;

/**
 * Keeps the garbage of a long run small: left alone, the engine lets it grow to several times of
 * what lives, whatever a run keeps. It holds for the process from then on.
 */
export class LeanHeap {
  #isGrown = false;

  constructor() {
    setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  }

  /** To be called now and then: stops the growth of the room for new objects when it is enough. */
  check(): void {
    if (this.#isGrown) return;
    const newSpace = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    this.#isGrown = newSpace === undefined || newSpace.space_size >= NEW_SPACE_MAX;
    if (this.#isGrown) setFlagsFromString('--semi-space-growth-factor=1');
  }
}
