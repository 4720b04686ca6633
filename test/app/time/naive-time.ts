/** Work of a test: when it is due after it was asked for, and what it asks for in turn. */
export interface NaiveWork {
  readonly name: string;
  readonly delay: number;
  /** Delay of the work that it schedules itself; undefined: none. */
  readonly successor?: number | undefined;
}

/** Scaled time that looks for the next work by sorting all of it again. */
export class NaiveTime {
  readonly ran: string[] = [];
  nowMs = 0;
  readonly #scale: number;
  #works: (NaiveWork & { readonly dueMs: number })[] = [];
  #passedMs = 0;
  #leaptMs = 0;

  constructor(scale: number) {
    this.#scale = scale;
  }

  schedule(work: NaiveWork): void {
    this.#works.push({ ...work, dueMs: this.nowMs + work.delay });
  }

  cancel(name: string): void {
    this.#works = this.#works.filter((work) => work.name !== name);
  }

  pass(ms: number): void {
    this.#passedMs += ms;
    this.#run();
  }

  leap(ms: number): void {
    this.#leaptMs += ms;
    this.#run();
  }

  #run(): void {
    const goalMs = this.#leaptMs + Math.floor(this.#passedMs * this.#scale);
    for (;;) {
      const [next] = this.#works.toSorted((a, b) => a.dueMs - b.dueMs);
      if (next === undefined || next.dueMs > goalMs) break;
      this.#works = this.#works.filter((work) => work !== next);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      this.ran.push(`${next.name}@${this.nowMs}`);
      if (next.successor === undefined) continue;
      this.schedule({ name: `${next.name}'`, delay: next.successor });
    }
    this.nowMs = Math.max(this.nowMs, goalMs);
  }
}
