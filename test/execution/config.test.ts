import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readAs } from '../../src/app/config/problems.ts';
import { parseYaml } from '../../src/app/config/yaml.ts';
import { executionConfigSchema } from '../../src/execution/index.ts';

const schema = z.strictObject({ executor: executionConfigSchema });

/** The message about a file, given by its lines. */
function problemOf(...lines: readonly string[]): string {
  try {
    readAs(schema, parseYaml('a.yaml', ['executor:', ...lines].join('\n')));
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

const SUMMED = 'less is wanted: refreshMs %1 + retryMs %2 + safetyMarginMs %3 + %4 for an answer';

describe('executor.heartbeat', () => {
  it.each([
    ['refreshMs', 120_000, [120_000, 1_000, 5_000, 15_000]],
    ['safetyMarginMs', 60_000, [15_000, 1_000, 60_000, 15_000]],
    ['retryMs', 30_000, [15_000, 30_000, 5_000, 15_000]],
  ])('is refused where a lost call would be a lapse: %s', (key, value, parts) => {
    const sum = parts.reduce((a, b) => a + b);
    const said = parts.reduce((text, part, at) => text.replace(`%${at + 1}`, `${part}`), SUMMED);
    expect(problemOf('  batch: true', '  heartbeat:', `    ${key}: ${value}`)).toBe(
      `a.yaml:4:5: Cannot use "executor.heartbeat.${key}": it is ${value}, ${said} are ${sum}, ` +
        'and the exchange cancels 60000 ms after a call, so that one lost call would be a lapse',
    );
  });

  it('names of several the one that is furthest beyond its default', () => {
    const problem = problemOf('  heartbeat: { refreshMs: 30000, safetyMarginMs: 20000 }');
    expect(problem).toContain('"executor.heartbeat.safetyMarginMs": it is 20000, less is wanted');
  });

  it('may take up the whole minute, and a shorter time-out leaves more of it', () => {
    expect(problemOf('  heartbeat: { refreshMs: 39000 }')).toBe('');
    expect(problemOf('  heartbeat: { refreshMs: 39001 }')).not.toBe('');
    expect(problemOf('  answerTimeoutMs: 5000', '  heartbeat: { refreshMs: 49000 }')).toBe('');
  });

  it.each([
    ['refreshMs', 999, 1_000],
    ['retryMs', 99, 100],
  ])('is refused where it would leave no room for orders: %s', (key, value, least) => {
    expect(problemOf(`  heartbeat: { ${key}: ${value} }`)).toContain(
      `"executor.heartbeat.${key}": it is ${value}, a number of at least ${least} is wanted`,
    );
  });
});

describe('executor.budget', () => {
  it('is refused where nothing is left for new orders', () => {
    const shares = '    { reserveForCancels: 0.6, questionsShare: 0.65 }';
    expect(problemOf('  budget:', shares)).toBe(
      'a.yaml:3:31: Cannot use "executor.budget.questionsShare": it is 0.65, reserveForCancels 0.6 ' +
        'and questionsShare 0.65 of at most 0.9 together are wanted: the rest is for new orders',
    );
    expect(problemOf('  budget: { reserveForCancels: 0.7, questionsShare: 0.2 }')).toBe('');
    expect(problemOf('  budget: { reserveForCancels: 0.95 }')).toContain('reserveForCancels');
  });

  it('may take a part of the minute', () => {
    expect(problemOf('  budget: { minuteShare: 0.33 }')).toBe('');
    expect(problemOf('  budget: { minuteShare: 0 }')).toContain('minuteShare');
  });
});
