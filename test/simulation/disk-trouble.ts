import type { Random } from '../../src/kernel/index.ts';
import { StorageError } from '../../src/storage/index.ts';
import { Violation } from './invariants.ts';
import { JOURNAL, type World } from './world.ts';

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

/** Longest time from the failure of a journal to the end of its process. */
const STOP_MS = 32_000;
/** How long a full disk stays full, and one that has errors goes on having them, at most. */
const FULL_MS = 60_000;
const ERRORS_MS = 20_000;

export interface DiskTroubleParts {
  readonly world: World;
  readonly random: Random;
  readonly note: (text: string) => void;
}

/**
 * A disk that is full for a while, or has errors; a run whose journal fails stops in order and ends,
 * and somebody starts it again, until there is room.
 */
export class DiskTrouble {
  readonly #parts: DiskTroubleParts;
  /** When the journal of the bot that runs failed; undefined: it has not. */
  #failedMs: number | undefined;
  /** Orders that the exchange was sent, and that are on no disk. */
  readonly #unwritten: string[] = [];

  constructor(parts: DiskTroubleParts) {
    this.#parts = parts;
    const { world } = parts;
    world.onOver = () => this.#fails();
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

  /** Starts the bot, as soon as that can be done. */
  boot(options: { readonly resume?: boolean } = {}): void {
    const { world, random, note } = this.#parts;
    this.#failedMs = undefined;
    note('boots');
    try {
      world.boot(options);
    } catch (thrown) {
      if (!(thrown instanceof StorageError)) throw thrown;
      note(`cannot start: ${thrown.message}`);
      world.clock.schedule(() => this.boot(options), 1_000 + random.integer(9_000));
    }
  }

  /** What must hold of any disk: a run whose journal has failed ends in time. @throws {Violation} */
  check(): void {
    const { world } = this.#parts;
    if (this.#unwritten.length > 0) throw new Violation(`I8: ${this.#unwritten} is on no disk`);
    if (!world.isAlive || this.#failedMs === undefined) return;
    const runsOnMs = world.clock.now() - this.#failedMs;
    if (runsOnMs > STOP_MS) throw new Violation(`I7: it runs on ${runsOnMs} ms without a journal`);
  }

  #fails(): void {
    const { world, note } = this.#parts;
    note('the journal fails');
    this.#failedMs = world.clock.now();
    const { process } = world.life;
    // As a deployment stops: not within what has brought the failure.
    process.schedule(() => {
      world.stop(({ verified }) => {
        note(`has stopped, ${verified ? 'verified' : 'NOT verified'}`);
        // Nor ends it while it is told so.
        process.schedule(() => this.#exit(), 1);
      });
    }, 1);
  }

  #exit(): void {
    const { world, random } = this.#parts;
    world.exit();
    const most = [300, 3_000, 90_000][random.integer(3)]!;
    world.clock.schedule(() => this.boot(), 1 + random.integer(most));
  }

  /** I8: an order is on disk before it leaves, whatever became of the disk since. */
  #checkWritten(target: string): void {
    const id = new URLSearchParams(target.split('?')[1]).get('customerOrderId');
    if (!target.startsWith('/api/order') || id === null) return;
    if (!this.#parts.world.disk.knows(JOURNAL, id)) this.#unwritten.push(id);
  }
}
