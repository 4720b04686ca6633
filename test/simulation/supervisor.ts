import type { Random } from '../../src/kernel/index.ts';
import { StorageError } from '../../src/storage/index.ts';
import { Violation } from './invariants.ts';
import type { World } from './world.ts';

/** Longest time from when a run cannot go on to the end of its process. */
const STOP_MS = 32_000;

export interface SupervisorParts {
  readonly world: World;
  readonly random: Random;
  readonly note: (text: string) => void;
}

/** Somebody who starts the bot, until that can be done, and starts it anew when it has ended. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  /** Since when the run cannot go on; undefined: it can. */
  #overMs: number | undefined;
  /** What rested behind a stop that said that nothing does. */
  #left: string | undefined;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    parts.world.onOver = (reason) => this.#over(reason);
  }

  boot(options: { readonly resume?: boolean } = {}): void {
    const { world, random, note } = this.#parts;
    this.#overMs = undefined;
    note('boots');
    try {
      world.boot(options);
    } catch (thrown) {
      if (!(thrown instanceof StorageError)) throw thrown;
      note(`cannot start: ${thrown.message}`);
      world.clock.schedule(() => this.boot(options), 1_000 + random.integer(9_000));
    }
  }

  /** A run that cannot go on ends in time. @throws {Violation} when it does not. */
  check(): void {
    const { world } = this.#parts;
    if (this.#left !== undefined) throw new Violation(`I7: ${this.#left}`);
    if (!world.isAlive || this.#overMs === undefined) return;
    const runsOnMs = world.clock.now() - this.#overMs;
    if (runsOnMs > STOP_MS) throw new Violation(`I7: it runs on for ${runsOnMs} ms though over`);
  }

  /** A person's Ctrl-C; they start it again. */
  stop(): void {
    const { world } = this.#parts;
    if (!world.isAlive || world.life.status !== 'running') return;
    world.life.status = 'over';
    this.#over('a person stops it');
  }

  /** As a deployment stops: not within what has brought its end, nor ends it while it is told so. */
  #over(reason: string): void {
    const { world, note } = this.#parts;
    note(`is over: ${reason}`);
    this.#overMs = world.clock.now();
    const { process } = world.life;
    process.schedule(() => {
      // It may have hung before it heard of that.
      this.#overMs = world.clock.now();
      world.stop(({ verified }) => {
        note(`has stopped, ${verified ? 'verified' : 'NOT verified'}`);
        if (verified) this.#checkNone();
        process.schedule(() => this.#exit(), 1);
      });
    }, 1);
  }

  #checkNone(): void {
    const { books, bot } = this.#parts.world;
    const open = books.ownOpen.filter(({ market }) => bot.sources.markets.has(market));
    if (open.length > 0) this.#left = `${open.length} orders rest behind a verified stop`;
  }

  #exit(): void {
    const { world, random } = this.#parts;
    // Whoever kills it starts it again.
    if (!world.exit()) return;
    const most = [300, 3_000, 90_000][random.integer(3)]!;
    world.clock.schedule(() => this.boot(), 1 + random.integer(most));
  }
}
