import { Violation } from './invariants.ts';
import type { SupervisorParts } from './supervisor.ts';
import { JOURNAL } from './world.ts';

/** How a write goes wrong. */
export const WRITE_FAULTS = [
  /** Nothing of it is there: no room is left. */
  'refused',
  /** A part of it is there: room ended in the middle of a line. */
  'torn',
  /** All of it is there, and the disk says that it failed, as when the sync behind it does. */
  'kept',
] as const;
export type WriteFault = (typeof WRITE_FAULTS)[number];

/** How long a full disk stays full, and one that has errors goes on having them, at most. */
const FULL_MS = 60_000;
const ERRORS_MS = 20_000;

/** A disk that is full for a while, or has errors. */
export class DiskTrouble {
  readonly #parts: SupervisorParts;
  /** Orders that the exchange was sent, and that are on no disk. */
  readonly #unwritten: string[] = [];

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    const { world } = parts;
    world.requestListeners.add((target) => this.#checkWritten(target));
  }

  /** From now on writes fail, for a while. */
  begin(): void {
    const { world, random, note } = this.#parts;
    const isFull = random.next() < 0.5;
    const durationMs = 1 + random.integer(isFull ? FULL_MS : ERRORS_MS);
    const share = isFull ? 1 : 0.3 * random.next() ** 2;
    note(`the disk is in trouble for ${durationMs} ms, ${share} of the writes fail`);
    const fault = () =>
      random.next() < share ? WRITE_FAULTS[random.integer(WRITE_FAULTS.length)] : undefined;
    world.disk.fault = fault;
    world.clock.schedule(() => {
      if (world.disk.fault === fault) this.end();
    }, durationMs);
  }

  /** The disk does as it is told again. */
  end(): void {
    this.#parts.world.disk.fault = () => undefined;
  }

  /** What must hold of any disk. @throws {Violation} */
  check(): void {
    if (this.#unwritten.length > 0) throw new Violation(`I8: ${this.#unwritten} is on no disk`);
  }

  /** I8: an order is on disk before it leaves, whatever became of the disk since. */
  #checkWritten(target: string): void {
    const id = new URLSearchParams(target.split('?')[1]).get('customerOrderId');
    if (!target.startsWith('/api/order') || id === null) return;
    if (!this.#parts.world.disk.knows(JOURNAL, id)) this.#unwritten.push(id);
  }
}
