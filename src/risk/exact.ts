import { Decimal, type Rounding } from '../kernel/index.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

/** A limit in whole units: as a number where a double holds it exactly, as a BigInt always. */
export interface ExactLimit {
  readonly units: bigint;
  /** Undefined beyond 2^53. */
  readonly safe: number | undefined;
}

/** A limit as whole units of 10^-scale, rounded as told. */
export function exactLimit(
  value: number | Decimal,
  { scale, rounding }: { readonly scale: number; readonly rounding: Rounding },
): ExactLimit {
  const { units, whole } = Decimal.of(value).round(scale, rounding);
  return { units, safe: typeof whole === 'number' ? whole : undefined };
}

/**
 * A sum of products of non-negative whole numbers, exact: in doubles as long as they hold every
 * digit, in BigInts beyond.
 */
export class ExactSum {
  #small = 0;
  #large = 0n;

  /** Adds `a * b`. */
  add(a: number, b = 1): this {
    const product = a * b;
    if (this.#small + product <= SAFE) {
      this.#small += product;
    } else {
      this.#large += BigInt(a) * BigInt(b);
    }
    return this;
  }

  /** Adds another sum. */
  addSum(other: ExactSum): this {
    if (other.#large !== 0n) this.#large += other.#large;
    return this.add(other.#small);
  }

  /** Negative, zero or positive as the sum is below, at or above the limit. */
  compare({ units, safe }: ExactLimit): number {
    if (this.#large === 0n && safe !== undefined) return this.#small - safe;
    const sum = this.units;
    return sum < units ? -1 : sum > units ? 1 : 0;
  }

  get units(): bigint {
    return BigInt(this.#small) + this.#large;
  }

  toDecimal(scale: number): Decimal {
    return new Decimal(this.#large === 0n ? this.#small : this.units, scale);
  }

  /** As decimal digits, for people. */
  toText(scale: number): string {
    return this.toDecimal(scale).toString();
  }
}

/** A decimal as whole units of 10^-scale rounded up (towards plus infinity); infinite beyond 2^53. */
export function unitsUp(value: Decimal, scale: number): number {
  const down = value.round(scale, 'down');
  const above = value.sign > 0 && !down.equals(value);
  const units = Number(down.whole) + (above ? 1 : 0);
  return Number.isSafeInteger(units) ? units : Math.sign(units) * Number.POSITIVE_INFINITY;
}

/** The same rounded down (towards minus infinity). */
export function unitsDown(value: Decimal, scale: number): number {
  return 0 - unitsUp(value.negated(), scale);
}

/** Adds whole numbers; infinite where the sum is beyond 2^53 and a digit could be lost. */
export function addUnits(a: number, b: number): number {
  const sum = a + b;
  return Math.abs(sum) <= SAFE ? sum : Math.sign(sum) * Number.POSITIVE_INFINITY;
}

/** Units as decimal digits, for people. */
export function unitsText(units: number, scale: number): string {
  if (!Number.isFinite(units)) return 'beyond 2^53 units';
  return new Decimal(units, scale).toString();
}
