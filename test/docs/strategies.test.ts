import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { from, type OperatorFunction } from 'rxjs';
import { describe, expect, it } from 'vitest';
import * as door from '../../src/strategy/index.ts';
import { replayed } from '../app/backtest/fixture.ts';
import { ROOT, scratchFolder } from '../app/fixture.ts';
import { indicatorTable, type Operator, operators } from './indicator-table.ts';
import { textOf } from './pages.ts';

const PAGE = textOf('docs/strategies.md');
const DOOR: Readonly<Record<string, unknown>> = { ...door };
const READ = new Map(operators().map((operator) => [operator.name, operator]));

/** The members of an interface of the source, in their order. */
function membersOf(file: string, name: string): string[] {
  const source = readFileSync(new URL(`src/${file}`, ROOT), 'utf8');
  const whole = new RegExp(`export interface ${name}\\b[^{]*{\\n(.*?)\\n}`, 's').exec(source);
  const members = (whole?.[1] ?? '').matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm);
  return [...members].map(([, member]) => member!);
}

/** Part of the page: from a heading to the next of its rank. */
function section(heading: string): string {
  const start = PAGE.indexOf(`\n## ${heading}\n`);
  const end = PAGE.indexOf('\n## ', start + 1);
  return PAGE.slice(start, end < 0 ? undefined : end);
}

/** The numbers that an operator has by itself, and 6 for a length that it wants to be told. */
function settingsOf({ call }: Operator): Record<string, number> {
  const told = [...call.matchAll(/(\w+) = (\d+)/g)].map(([, key, value]) => [key, Number(value)]);
  return { ...(call.endsWith('(length)') && { length: 6 }), ...Object.fromEntries(told) };
}

/** What `after 2 x \`length\` candles` comes to. */
function countOf({ first }: Operator, settings: Record<string, number>): number {
  const [, terms] = /^after (.*) (?:values|candles)$/.exec(first)!;
  const numbers = terms!.replace(/`(\w+)`/g, (_, key: string) => String(settings[key]));
  const sum = (text: string): number =>
    text.split(/ (?=[+-] )/).reduce((total, term) => {
      const [, sign, factors] = /^([+-] )?(.*)$/.exec(term)!;
      const product = factors!.split(' x ').reduce((all, factor) => all * Number(factor), 1);
      return sign === '- ' ? total - product : total + product;
    }, 0);
  const [, one, other] = /^the longer of (.*?) and (.*)$/.exec(numbers) ?? [];
  return one === undefined ? sum(numbers) : Math.max(sum(one), sum(other!));
}

/** How many inputs an operator takes until its first value. */
function inputsUntilWarm({ name, takes, call }: Operator): number {
  const make = DOOR[name] as (length?: number) => OperatorFunction<unknown, unknown>;
  const prices = Array.from({ length: 99 }, (_, at) => 100 + (at % 7));
  const inputs = takes === 'numbers' ? prices : door.scriptedCandles(prices);
  let count = 0;
  let warmAt = Number.NaN;
  const counted = from(inputs as unknown[]).pipe(door.tap(() => count++));
  const operator = call.endsWith('(length)') ? make(6) : make();
  counted.pipe(operator, door.take(1)).subscribe(() => {
    warmAt = count;
  });
  return warmAt;
}

describe('docs/strategies.md: indicators', () => {
  it('have their table as the source has them', () => {
    const [, table] = /<!-- indicators -->\n\n(.*)\n\n<!-- end of indicators -->/s.exec(PAGE) ?? [];
    expect(table).toBe(indicatorTable());
  });

  it('are all that the door offers', () => {
    expect([...READ.keys()].filter((name) => typeof DOOR[name] !== 'function')).toEqual([]);
    const folder = new URL('src/strategy/indicators/', ROOT);
    const declared = readdirSync(folder).flatMap((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      return [...source.matchAll(/^export const (\w+) =/gm)].map(([, name]) => name!);
    });
    expect(declared.filter((name) => name !== 'itself').sort()).toEqual([...READ.keys()]);
  });

  const counted = [...READ.values()].filter(({ first }) => first.startsWith('after'));

  it.each(counted.map((operator) => [operator.name, operator] as const))(
    '%s has its first value when it says',
    (_name, operator) => {
      expect(inputsUntilWarm(operator)).toBe(countOf(operator, settingsOf(operator)));
    },
  );
});

describe('docs/strategies.md: the context', () => {
  it.each(membersOf('strategy/context.ts', 'StrategyContext'))('has %s', (member) => {
    expect(section('What it sees')).toMatch(new RegExp(`\`${member}[\`(]`));
  });

  it.each([
    ['kernel/random.ts', 'Random'],
    ['domain/market.ts', 'Market'],
    ['strategy/context.ts', 'StrategyRefusal'],
    ['strategy/exit-rules.ts', 'ExitRules'],
  ])('has every member of %s %s', (file, name) => {
    const missing = membersOf(file, name).filter(
      (member) => !new RegExp(`\`(?:\\w+\\.)?${member}[\`(]`).test(PAGE),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/strategies.md: signals with times', () => {
  it('count from their times on, and of those before the start the newest', async () => {
    const [, text] = /```ts file=my\/told.ts\n(.*?)\n```/s.exec(PAGE)!;
    const file = join(scratchFolder(), 'signals.csv');
    const times = [
      '2023-12-01T00:00',
      '2023-12-31T00:00',
      '2024-01-01T00:05',
      '2024-01-01T00:07:30',
    ];
    writeFileSync(file, times.map((time, at) => `${time}Z,${[3, 1, 2, 0][at]}\n`).join(''));
    const minutes = Array.from({ length: 10 }, () => ({ close: 100 }));
    const strategies = [{ use: './scripted.ts', params: { file } }];
    const { trades, record } = await replayed({
      ...{ minutes, script: {}, text: text!, settings: { strategies } },
    });
    expect(trades).toEqual([
      ['buy', 1, 100, 1],
      ['buy', 1, 100, 5],
      ['sell', 2, 100, 7.5],
    ]);
    expect(record.ended).toEqual([]);
  });
});

describe('docs/strategies.md: testing', () => {
  const text = section('Testing it');

  it.each(Object.keys(DOOR).filter((name) => name.startsWith('scripted')))('names %s', (helper) => {
    expect(text).toContain(`\`${helper}`);
  });

  it.each(['RunStrategyOptions', 'StrategyRun'])('has every member of %s', (name) => {
    const members = membersOf('strategy/testing.ts', name);
    expect(members.length).toBeGreaterThan(2);
    for (const member of members) expect(text).toContain(`\`${member}\``);
  });
});
