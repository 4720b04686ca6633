import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/engine/strategy-failure.ts';

const OWN = new URL('../../src/strategy/intents.ts', import.meta.url).href;
const LAUNCHER = new URL('../../bin/start.js', import.meta.url).href;

function thrownAt(...frames: readonly string[]): Error {
  const error = new TypeError('candel is not defined');
  error.stack = ['TypeError: candel is not defined', ...frames].join('\n');
  return error;
}

describe('failureOf', () => {
  it('names the first place that is neither of Tradewind, of a library nor of Node', () => {
    const error = thrownAt(
      `    at quotes (${OWN}:50:3)`,
      `    at ${LAUNCHER}:15:21`,
      '    at next (file:///home/me/node_modules/rxjs/map.js:9:1)',
      '    at process (node:internal/process:1:2)',
      '    at file:///home/me/my/mean.ts:12:9',
      '    at Object.run (file:///home/me/my/other.ts:7:1)',
    );
    expect(failureOf(error)).toBe('candel is not defined (mean.ts:12:9)');
  });

  it('tells a file without what stands behind its name', () => {
    const error = thrownAt('    at run (file:///home/me/my/mean.ts?version=2:3:4)');
    expect(failureOf(error)).toBe('candel is not defined (mean.ts:3:4)');
  });

  it('names the line of a file that cannot be read', () => {
    const error = new SyntaxError('Unexpected token');
    error.stack =
      '/home/me/my/mean.ts:2\nconst x: = 3;\n         ^\n\nSyntaxError: Unexpected token';
    expect(failureOf(error)).toBe('Unexpected token (mean.ts:2)');
  });

  it('says the message alone where no place is known', () => {
    expect(failureOf(thrownAt('    at process (node:internal/process:1:2)'))).toBe(
      'candel is not defined',
    );
    expect(failureOf('no more')).toBe('no more');
  });

  it('says the message alone where the place cannot be read', () => {
    const hostile = Object.defineProperty(new Error('gone'), 'stack', {
      get: () => {
        throw new Error('no stack');
      },
    });
    expect(failureOf(hostile)).toBe('gone');
  });
});
