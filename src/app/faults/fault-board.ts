import type { Clock, Random } from '../../kernel/index.ts';
import { type Fault, isRequestFault, type PushFault, type RequestFault } from './fault.ts';

/** A fault at work. */
export interface InjectedFault {
  readonly id: number;
  readonly fault: Fault;
  readonly hits: number;
  /** How many more it can hit; undefined: any number. */
  readonly left: number | undefined;
  /** When it ends by itself, milliseconds since the epoch; undefined: by its count. */
  readonly untilMs: number | undefined;
}

type Standing = { -readonly [K in keyof InjectedFault]: InjectedFault[K] };

/** The faults that are at work, in the order in which they were injected. */
export class FaultBoard {
  readonly #clock: Clock;
  readonly #random: Random;
  #standing: Standing[] = [];
  #lastId = 0;

  /** `clock`: the callers' time. The same seed hits the same requests. */
  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  inject(fault: Fault): InjectedFault {
    const { forMs } = fault;
    const count = 'count' in fault ? fault.count : undefined;
    const standing = {
      id: ++this.#lastId,
      fault,
      hits: 0,
      left: count ?? (forMs === undefined ? 1 : undefined),
      untilMs: forMs === undefined ? undefined : this.#clock.now() + forMs,
    };
    this.#standing.push(standing);
    return { ...standing };
  }

  /** Those that can still hit something. */
  list(): InjectedFault[] {
    this.#drop();
    return this.#standing.map((one) => ({ ...one }));
  }

  /** Ends one fault, or all. Returns how many it ended. */
  clear(id?: number): number {
    this.#drop();
    const before = this.#standing.length;
    this.#standing = this.#standing.filter((one) => id !== undefined && one.id !== id);
    return before - this.#standing.length;
  }

  /** The fault that hits a request of that operation, the oldest first. */
  hitRequest(operation: string): RequestFault | undefined {
    return this.#hit((fault): fault is RequestFault => {
      return isRequestFault(fault) && (fault.operation ?? operation) === operation;
    });
  }

  /** The fault of one of these kinds that hits a push or a socket, the oldest first. */
  hitPush(...kinds: readonly PushFault['kind'][]): PushFault | undefined {
    return this.#hit((fault): fault is PushFault => {
      return kinds.some((kind) => kind === fault.kind);
    });
  }

  #hit<F extends Fault>(concerns: (fault: Fault) => fault is F): F | undefined {
    if (this.#standing.length === 0) return undefined;
    this.#drop();
    for (const standing of this.#standing) {
      const { fault } = standing;
      if (!concerns(fault) || !this.#strikes(fault)) continue;
      standing.hits++;
      if (standing.left !== undefined) standing.left--;
      return fault;
    }
    return undefined;
  }

  #strikes(fault: Fault): boolean {
    const { probability = 1 } = fault as { readonly probability?: number };
    return probability === 1 || this.#random.next() < probability;
  }

  /** Forgets what is over. */
  #drop(): void {
    const nowMs = this.#clock.now();
    this.#standing = this.#standing.filter(
      ({ left, untilMs }) => left !== 0 && (untilMs === undefined || nowMs < untilMs),
    );
  }
}
