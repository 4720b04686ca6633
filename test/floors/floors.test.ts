import { describe, expect, test } from 'vitest';
import { ambientUsesOf, FLOORS, floorOf, promisesOf, violationsOf } from './rules.ts';
import { type Source, sourcesBelow, stripComments, stripStrings } from './sources.ts';

const sources = sourcesBelow('src');
const strategies = sourcesBelow('strategies');
const ABOVE_THE_BAN = ['app', 'cli'];

function source(path: string, text: string): Source {
  return { path, text, code: stripComments(text) };
}

describe('floors', () => {
  test('every folder of src has a row in the table', () => {
    const folders = new Set(sources.map(({ path }) => floorOf(path)));
    expect([...folders].filter((folder) => !(folder in FLOORS))).toEqual([]);
    expect(folders.size).toBeGreaterThan(10);
  });

  test('a folder imports only floors and packages that its row allows', () => {
    expect([...sources, ...strategies].flatMap(violationsOf)).toEqual([]);
  });

  test('the rule sees an import from above, a package, an inner file and a stray strategy', () => {
    expect(
      violationsOf(source('src/domain/x.ts', "import { a } from '../app/index.ts';")),
    ).toHaveLength(1);
    expect(violationsOf(source('src/kernel/x.ts', "import fs from 'node:fs';"))).toHaveLength(1);
    expect(
      violationsOf(source('src/risk/x.ts', "import { a } from '../ledger/a.ts';")),
    ).toHaveLength(1);
    expect(violationsOf(source('strategies/x.ts', "export { a } from 'rxjs';"))).toHaveLength(1);
    expect(violationsOf(source('src/risk/x.ts', "// from '../app/index.ts'"))).toEqual([]);
  });
});

describe('ambient time and randomness', () => {
  test('nothing below app uses them', () => {
    const below = sources.filter(({ path }) => !ABOVE_THE_BAN.includes(floorOf(path)));
    expect([...below, ...strategies].flatMap(ambientUsesOf)).toEqual([]);
  });

  test('the ban names the replacement', () => {
    expect(ambientUsesOf(source('src/sim/x.ts', 'const a = Date.now();'))).toEqual([
      'src/sim/x.ts:1 uses Date.now: use clock.now()',
    ]);
    const timed = "import { timer } from 'rxjs';\ntimer(5).subscribe();";
    expect(ambientUsesOf(source('src/sim/x.ts', timed))).toHaveLength(1);
  });

  test.each(['timeout(5)', 'timeout({ first: 5 })', 'observeOn(queue)', 'interval(5)'])(
    'the ban sees %s without a clock, and lets it pass with one',
    (call) => {
      const using = (code: string) => source('src/sim/x.ts', `import {} from 'rxjs';\n${code};`);
      expect(ambientUsesOf(using(call))).toHaveLength(1);
      expect(ambientUsesOf(using(call.replace(/\)$/, ', clock)')))).toEqual([]);
    },
  );
});

describe('promises', () => {
  test('none is between a tick and its request', () => {
    expect(sources.flatMap(promisesOf)).toEqual([]);
  });

  test('the rule sees each kind, and knows who may', () => {
    const uses = ['async () => 1', 'await x', 'new Promise(f)', 'x.then(f)', "import('./a.ts')"];
    for (const code of uses) {
      expect(promisesOf(source('src/execution/x.ts', code))).toHaveLength(1);
      expect(promisesOf(source('src/sim/replay-x.ts', code))).toEqual([]);
      expect(promisesOf(source('src/app/x.ts', code))).toEqual([]);
    }
    expect(promisesOf(source('src/risk/x.ts', "// await\nconst a = 'await';"))).toEqual([]);
  });
});

describe('house rules', () => {
  test('no file of src or strategies is longer than 400 lines', () => {
    const long = [...sources, ...strategies].filter(({ text }) => text.split('\n').length > 401);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test('no any, no ignored types, nothing left undone', () => {
    const undone = /@ts-ignore|@ts-expect-error|TODO|FIXME/;
    const untyped = /(:\s*any\b|\bas any\b|<any>)/;
    const bad = sources.filter(
      ({ text, code }) => undone.test(text) || untyped.test(stripStrings(code)),
    );
    expect(bad.map(({ path }) => path)).toEqual([]);
  });

  test('private getters are methods, which the engine inlines', () => {
    const slow = sources.filter(({ code }) => /\b[gs]et #/.test(code));
    expect(slow.map(({ path }) => path)).toEqual([]);
  });

  test('every bundled strategy has fewer than 60 lines', () => {
    const long = strategies.filter(({ text }) => text.trimEnd().split('\n').length >= 60);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});
