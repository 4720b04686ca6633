import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/kernel/index.ts';

const draw = <T>(count: number, next: () => T): T[] => Array.from({ length: count }, next);
const meanOf = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / values.length;
const varianceOf = (values: readonly number[]): number => {
  const mean = meanOf(values);
  return meanOf(values.map((value) => (value - mean) ** 2));
};
const texts = (random: Random): string[] => draw(5, () => random.next().toFixed(10));

describe('seededRandom', () => {
  it('draws the same numbers everywhere and for ever', () => {
    // Pinned from sfc32 written anew in another language.
    const named = ['0.7077052945', '0.8675793449', '0.9099679659', '0.5421824153', '0.1006604077'];
    const numbered = [
      '0.9122559710',
      '0.9165143361',
      '0.9722126555',
      '0.2879541931',
      '0.4322838418',
    ];
    expect(texts(seededRandom('tradewind'))).toEqual(named);
    expect(texts(seededRandom(42))).toEqual(numbered);
  });

  it('takes a number and its text as the same seed, and other seeds apart', () => {
    expect(texts(seededRandom(42))).toEqual(texts(seededRandom('42')));
    expect(texts(seededRandom(42))).not.toEqual(texts(seededRandom(43)));
  });
});

describe('Random', () => {
  const COUNT = 200_000;

  it('next is uniform in [0, 1)', () => {
    const random = seededRandom(1);
    const values = draw(COUNT, () => random.next());
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(meanOf(values)).toBeCloseTo(0.5, 2);
    expect(varianceOf(values)).toBeCloseTo(1 / 12, 2);
  });

  it('integer reaches every number below its bound about as often, and never the bound', () => {
    const random = seededRandom(2);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < COUNT; i++) counts[random.integer(10)]!++;
    expect(counts).toHaveLength(10);
    const expected = COUNT / 10;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 9 degrees of freedom: beyond 27.9 once in a thousand seeds.
    expect(chiSquare).toBeLessThan(27.9);
  });

  it('normal has mean 0, variance 1 and the tails of a normal distribution', () => {
    const random = seededRandom(3);
    const values = draw(COUNT, () => random.normal());
    expect(values.every(Number.isFinite)).toBe(true);
    expect(meanOf(values)).toBeCloseTo(0, 2);
    expect(varianceOf(values)).toBeCloseTo(1, 1);
    const beyond = values.filter((value) => Math.abs(value) > 1.96).length / COUNT;
    expect(beyond).toBeCloseTo(0.05, 2);
  });

  it('exponential is positive, with the mean asked for', () => {
    const random = seededRandom(4);
    const values = draw(COUNT, () => random.exponential(50));
    expect(values.every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
    expect(Math.abs(meanOf(values) / 50 - 1)).toBeLessThan(0.02);
    expect(Math.abs(varianceOf(values) / 2_500 - 1)).toBeLessThan(0.05);
  });
});

describe('fork', () => {
  it('does not move the generator it came from', () => {
    const plain = seededRandom(5);
    const forked = seededRandom(5);
    texts(forked.fork('feed'));
    expect(texts(forked)).toEqual(texts(plain));
  });

  it('depends on the seed and the label alone, not on what was drawn before', () => {
    const early = seededRandom(6).fork('feed');
    const later = seededRandom(6);
    texts(later);
    expect(texts(later.fork('feed'))).toEqual(texts(early));
  });

  it('gives streams that differ and do not follow one another', () => {
    const root = seededRandom(7);
    const [a, b] = [root.fork('a'), root.fork('b')];
    const pairs = draw(50_000, () => [a.next(), b.next()] as const);
    const correlation = meanOf(pairs.map(([x, y]) => (x - 0.5) * (y - 0.5))) * 12;
    expect(Math.abs(correlation)).toBeLessThan(0.02);
    expect(texts(root.fork('a').fork('b'))).not.toEqual(texts(root.fork('b').fork('a')));
  });
});
