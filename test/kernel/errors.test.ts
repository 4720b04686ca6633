import { describe, expect, it } from 'vitest';
import {
  AssertionError,
  assert,
  messageOf,
  stackOf,
  TradewindError,
  withoutAction,
} from '../../src/kernel/index.ts';

describe('assert', () => {
  it('throws an AssertionError with the message only when the condition is false', () => {
    expect(() => assert(true, 'fine')).not.toThrow();
    expect(() => assert(false, 'broken')).toThrow(new AssertionError('broken'));
    expect(new AssertionError('x')).toBeInstanceOf(TradewindError);
  });
});

describe('messageOf', () => {
  it('is the message of an error and the text of anything else', () => {
    expect(messageOf(new Error('gone'))).toBe('gone');
    expect([messageOf('gone'), messageOf(7), messageOf(undefined)]).toEqual([
      'gone',
      '7',
      'undefined',
    ]);
  });
});

it('messageOf says what is wanted where the system gives no more files', () => {
  const full = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  const wanted = 'a higher limit (`ulimit -n`) is wanted';
  expect(messageOf(full)).toBe(`EMFILE: too many open files, ${wanted}`);
});

it('messageOf says in words that the system gives no permission, where it tells for what', () => {
  const closed = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  expect(messageOf(closed)).toBe('EACCES: permission denied');
  expect(messageOf(Object.assign(closed, { path: 'a.ts' }))).toBe(
    'you may not use a.ts, permission is wanted',
  );
  const gone = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', path: 'a.ts' });
  expect(messageOf(gone)).toBe('ENOENT: no such file');
});

it('messageOf says what failed first where its closing failed too', async () => {
  const work = async () => {
    await using _file = {
      [Symbol.asyncDispose]: () => Promise.reject(new Error('EIO: i/o error, close')),
    };
    throw new TypeError('it is damaged');
  };
  const thrown = await work().catch((error: unknown) => error);
  expect(messageOf(thrown)).toBe('it is damaged');
});

describe('messageOf of odd things', () => {
  it('is their message, that of the first of several, or says that there is none', () => {
    expect(messageOf({ message: 'gone' })).toBe('gone');
    expect(messageOf(new AggregateError([new Error('one'), new Error('two')]))).toBe('one');
    const hostile = {
      get message() {
        throw new Error('no');
      },
    };
    for (const odd of [Object.create(null), hostile]) {
      expect(messageOf(odd)).toBe('something that has no text');
    }
  });
});

describe('stackOf', () => {
  it('is the stack of an error, and nothing of what has none that can be read', () => {
    const error = new Error('gone');
    expect(stackOf(error)).toBe(error.stack);
    const listed = Object.assign(new Error('gone'), { stack: ['a', 'b'] });
    const hostile = Object.defineProperty(new Error('gone'), 'stack', {
      get: () => {
        throw new Error('no stack');
      },
    });
    const hidden = new Proxy({}, { getPrototypeOf: () => hostile.stack as never });
    for (const odd of ['gone', undefined, listed, hostile, hidden]) {
      expect(stackOf(odd)).toBeUndefined();
    }
  });
});

describe('withoutAction', () => {
  it('leaves what is wrong, of a message that has the grammar of ours', () => {
    expect(withoutAction('Cannot read orders: the answer is empty: []')).toBe(
      'the answer is empty: []',
    );
    expect(withoutAction('Error Market')).toBe('Error Market');
  });
});
