/** Randomness as a port: every draw of a run comes from one seed. */
export interface Random {
  /** Uniform in [0, 1), 32 bits of it. */
  next(): number;
  /** Uniform whole number in [0, below). */
  integer(below: number): number;
  /** Standard normal deviate. */
  normal(): number;
  /** Exponential deviate with the given mean. */
  exponential(mean: number): number;
  /** An independent stream named by `label`: drawing from it does not move this one. */
  fork(label: string): Random;
}

/** 32-bit FNV-1a, offset basis and prime as published by its authors (Fowler, Noll, Vo). */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** sfc32 (Chris Doty-Humphrey, PractRand): small, fast, passes PractRand and BigCrush. */
class Sfc32 implements Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
    this.#a = hash32(`a:${seed}`);
    this.#b = hash32(`b:${seed}`);
    this.#c = hash32(`c:${seed}`);
    for (let i = 0; i < 12; i++) this.next();
  }

  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  integer(below: number): number {
    return Math.floor(this.next() * below);
  }

  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return radius * Math.cos(2 * Math.PI * this.next());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  fork(label: string): Random {
    return new Sfc32(`${this.#seed}/${label}`);
  }
}

/** A generator seeded by a text or a number: the same seed gives the same draws everywhere. */
export function seededRandom(seed: string | number): Random {
  return new Sfc32(String(seed));
}
