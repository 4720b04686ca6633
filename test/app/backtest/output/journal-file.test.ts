import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalFile } from '../../../../src/app/backtest/output/journal-file.ts';
import { scratchFolder } from '../../fixture.ts';

function makeFile(headRoom = 40) {
  const path = join(scratchFolder(), 'journal.jsonl');
  const file = new JournalFile(path, { headRoom });
  const add = (line: string) => {
    file.text.addLine(line);
    file.added();
  };
  return { file, add, lines: () => linesOf(path) };
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n');

describe('JournalFile', () => {
  it('holds its head, then every line in order', () => {
    const { file, add, lines } = makeFile();
    for (const line of ['{"at":1}', '{"at":"zwölf"}']) add(line);
    file.finish('{"kind":"inputs"}');
    const [head, ...others] = lines();
    expect(JSON.parse(head!)).toEqual({ kind: 'inputs' });
    expect(others).toEqual(['{"at":1}', '{"at":"zwölf"}', '']);
  });

  it('takes a head that fills all its room, counted in bytes', () => {
    const head = '{"name":"größe"}';
    const { file, add, lines } = makeFile(Buffer.byteLength(head));
    add('1');
    file.finish(head);
    expect(lines()).toEqual([head, '1', '']);
  });

  it('refuses a head that would run into the lines', () => {
    const { file } = makeFile(3);
    expect(() => file.finish('{"a":1}')).toThrow('takes 7 bytes');
    file.close();
  });

  it('writes while the run goes on, and what is left when it is told to', () => {
    const { file, add, lines } = makeFile(2);
    const line = 'x'.repeat(1_000);
    for (let at = 0; at < 1_100; at++) add(line);
    const written = lines().length;
    expect(written).toBeGreaterThan(1_000);
    expect(written).toBeLessThan(1_100);
    file.commit();
    expect(lines()).toEqual(['  ', ...Array(1_100).fill(line), '']);
    file.close();
  });

  it('stays failed once it could not write', () => {
    const { file, add } = makeFile();
    file.close();
    add('1');
    const failure = /^Cannot write the journal .*journal\.jsonl: EBADF: bad file descriptor/;
    expect(() => file.commit()).toThrow(failure);
    expect(() => file.commit()).toThrow(failure);
  });
});
