import { describe, expect, it } from 'vitest';
import { writeLine } from '../../src/engine/strategy-log.ts';
import { Decimal, type Logger } from '../../src/kernel/index.ts';

/** Fields as JSON has them. */
function written(fields: object): object {
  return JSON.parse(JSON.stringify(fields)) as object;
}

function failure(message: string): Error {
  const stack = `Error: ${message}\n    at run (file:///home/me/my/mean.ts:12:9)`;
  return Object.assign(new Error(message), { stack });
}

/** Log calls of the strategy maker, and the lines that come of them. */
function logOf() {
  const logged: object[] = [];
  const logger = {
    info: (fields: object, message: string) => logged.push({ ...written(fields), message }),
    warn: (fields: object, message: string) => logged.push({ ...fields, level: 'warn', message }),
  } as unknown as Logger;
  const log = (message: unknown, fields?: unknown): void =>
    writeLine(logger, { strategy: 'maker', message, fields });
  return { log, logged };
}

describe('writeLine', () => {
  it('logs in its name', () => {
    const { log, logged } = logOf();
    log('crossed', { fast: 3 });
    expect(logged).toEqual([{ strategy: 'maker', fast: 3, message: 'crossed' }]);
  });

  it('keeps its name apart from a field of that name', () => {
    const { log, logged } = logOf();
    log('crossed', { strategy: 'fast' });
    const line = { strategy: 'maker', 'fields.strategy': 'fast', message: 'crossed' };
    expect(logged).toEqual([line]);
  });

  it.each([
    [42, '42'],
    [undefined, 'undefined'],
    [{ spread: Decimal.of('0.5') }, '{"spread":"0.5"}'],
    [10n, '10'],
    [{ size: 10n, m: new Map([[1, 2]]) }, '{"size":"10","m":{"1":2}}'],
    [
      {
        toJSON: () => {
          throw new Error('not yet');
        },
      },
      'Cannot log this: not yet, a text is wanted',
    ],
    [failure('feed said no'), 'feed said no (mean.ts:12:9)'],
  ])('makes text of whatever is logged: %s', (message, text) => {
    const { log, logged } = logOf();
    log(message as unknown as string);
    expect(logged).toEqual([{ strategy: 'maker', message: text }]);
  });

  it('tells errors among the fields, and as fields', () => {
    const { log, logged } = logOf();
    const error = failure('no');
    log('lost', { error });
    log('lost', error as unknown as Record<string, unknown>);
    const line = { strategy: 'maker', message: 'lost', error: 'no (mean.ts:12:9)' };
    expect(logged).toEqual([line, line]);
  });

  it.each([['a text'], [new String('a text')], [['a', 'list']], [Decimal.of('0.5')], [7]])(
    'tells as a whole what has no fields by name: %j',
    (details) => {
      const { log, logged } = logOf();
      log('seen', details as unknown as Record<string, unknown>);
      const written: unknown = JSON.parse(JSON.stringify(details));
      expect(logged).toEqual([{ strategy: 'maker', details: written, message: 'seen' }]);
    },
  );

  it('tells what JSON alone would leave out', () => {
    const { log, logged } = logOf();
    log('x', { m: new Map([[1, 2]]), s: new Set(['a']), d: Decimal.of('0.5'), n: 10n });
    const line = { m: { 1: 2 }, s: ['a'], d: '0.5', n: '10', message: 'x', strategy: 'maker' };
    expect(logged).toEqual([line]);
  });

  it('is not ended by fields that cannot be written', () => {
    const { log, logged } = logOf();
    const toJSON = () => {
      throw new Error('not yet');
    };
    log('state', { book: { toJSON } });
    const message = 'state (Cannot log its fields: not yet, plain values are wanted)';
    expect(logged).toEqual([{ strategy: 'maker', level: 'warn', message }]);
  });
});
