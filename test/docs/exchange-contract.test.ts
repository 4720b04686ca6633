import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES } from '../../src/exchange/index.ts';
import { PUBLIC_PATHS } from '../../src/venues/zb/wire/index.ts';
import { METHODS } from '../../src/venues/zb/wire/methods.ts';
import { ROOT } from '../app/fixture.ts';
import { textOf } from './pages.ts';

const CONTRACT = new URL('../shared/exchange-api.md', ROOT);
const WIRE_FACTS = new URL('../shared/wire-facts.md', ROOT);
/** Codes that the server answers beside those of the ports. */
const FURTHER_CODES = [1004, 1005, 1007, 1008, 3004];

interface Row {
  readonly contract: string;
  readonly here: string;
  readonly shownBy: string;
  readonly assumed: string;
}

/** The lines below each heading; what a heading has in parentheses is left out. */
function chaptersOf(text: string): ReadonlyMap<string, readonly string[]> {
  const chapters = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, heading] = /^#+ ([^(]+)/.exec(line) ?? [];
    if (heading !== undefined) {
      lines = [];
      chapters.set(heading.trim(), lines);
    } else if (line.trim() !== '' && !line.startsWith('|--')) lines.push(line);
  }
  return chapters;
}

function rowOf(line: string): Row {
  const cells = line.slice(1, -1).split('|');
  const [contract = '', here = '', shownBy = '', assumed = ''] = cells.map((cell) => cell.trim());
  if (cells.length !== 4) throw new Error(`${cells.length} cells: ${line}`);
  return { contract, here, shownBy, assumed };
}

const page = new Map(
  Array.from(chaptersOf(textOf('docs/exchange.md')), ([heading, lines]) => [
    heading,
    lines
      .filter((line) => line.startsWith('|'))
      .map(rowOf)
      .slice(1),
  ]),
);
const rows = [...page.values()].flat();

/** Names that stand in code in the first column. */
function namedIn(some: readonly Row[]): ReadonlySet<string> {
  const code = some.flatMap(({ contract }) => contract.match(/`[^`]+`/g) ?? []);
  return new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
}

describe('docs/exchange.md', () => {
  it('has no empty cell', () => {
    expect(rows.length).toBeGreaterThan(250);
    const empty = rows.filter((row) => Object.values(row).includes(''));
    expect(empty).toEqual([]);
  });

  it('has every operation and every public path', () => {
    const operations = namedIn([
      ...page.get('Signed endpoints')!,
      ...page.get('Lists of orders and the cross account')!,
    ]);
    expect(METHODS.filter((method) => !operations.has(method))).toEqual([]);
    const named = page.get('Public market data')!.map(({ contract }) => contract);
    const paths = Object.values(PUBLIC_PATHS);
    const missing = paths.filter((path) => !named.some((text) => text.includes(`GET ${path}\``)));
    expect(missing).toEqual([]);
  });

  it('has every error code', () => {
    const known = existsSync(WIRE_FACTS) ? codesOf(readFileSync(WIRE_FACTS, 'utf8')) : [];
    const codes = [...known, ...FURTHER_CODES, ...Object.values(CODES)].map(String);
    const named = page
      .get('Error codes')!
      .flatMap(({ contract }) => contract.match(/`\d+`/g) ?? []);
    expect(codes.filter((code) => !named.includes(`\`${code}\``))).toEqual([]);
  });

  it('says what it assumes wherever the contract shows nothing', () => {
    const silent = rows.filter(({ contract }) => contract.includes('not shown'));
    expect(silent.length).toBeGreaterThan(8);
    expect(silent.filter(({ assumed }) => assumed === '-')).toEqual([]);
  });
});

/** The codes of the table of codes, both ends of a span. */
function codesOf(wireFacts: string): string[] {
  const table = wireFacts.split('\n').filter((line) => /^\| \d{4}/.test(line));
  expect(table.length).toBeGreaterThan(10);
  const cells = table.flatMap((line) => line.split('|').map((cell) => cell.trim()));
  return cells.filter((cell) => /^\d{4}(-\d{4})?$/.test(cell)).flatMap((cell) => cell.split('-'));
}

describe('the tests that docs/exchange.md names', () => {
  const named = new Set(rows.flatMap(({ shownBy }) => shownBy.split('<br>')));

  it('are there, each title once in its file or with the title of its group', () => {
    expect(named.size).toBeGreaterThan(300);
    expect([...named].filter((entry) => !isThere(entry))).toEqual([]);
  });
});

function isThere(entry: string): boolean {
  const [, file, path = ''] = /^`([\w./-]+)` › (.+)$/.exec(entry) ?? [];
  const url = new URL(`test/${file}`, ROOT);
  if (file === undefined || !existsSync(url)) return false;
  const text = readFileSync(url, 'utf8');
  const counts = path.split(' › ').map((title) => timesIn(text, title));
  return counts.length === 1 ? counts[0] === 1 : !counts.includes(0);
}

/** How often a title begins a test or a group of tests. */
function timesIn(text: string, title: string): number {
  const quoted = ["'", '"', '`'].map((quote) => `${quote}${title}${quote},`);
  return quoted
    .flatMap((literal) => text.split(literal).slice(0, -1))
    .filter((before) => /\(\s*$/.test(before)).length;
}

describe.skipIf(!existsSync(CONTRACT))('the contract', () => {
  const contract = existsSync(CONTRACT) ? chaptersOf(readFileSync(CONTRACT, 'utf8')) : new Map();
  const chapters = [...contract].map(([heading, lines]) => ({
    heading,
    lines: linesOf(lines),
  }));
  const filled = chapters.filter(({ lines }) => lines.length > 0);

  it('has a chapter here for each of its own', () => {
    expect(filled.length).toBeGreaterThan(25);
    const missing = filled.filter(({ heading }) => !page.has(heading));
    expect(missing.map(({ heading }) => heading)).toEqual([]);
  });

  it.each(filled)('has a row here for each line of "$heading"', ({ heading, lines }) => {
    expect(page.get(heading)!.length).toBeGreaterThanOrEqual(lines.length);
    const silent = (texts: readonly string[]) =>
      texts.filter((text) => text.includes('not shown')).length;
    const told = silent(page.get(heading)!.map((row) => row.contract));
    expect(told).toBe(silent(lines));
  });

  it.each(filled)('has every name here of "$heading"', ({ heading, lines }) => {
    const named = namedIn(page.get(heading)!);
    const wanted = new Set(lines.flatMap(namesOf));
    expect([...wanted].filter((name) => !named.has(name))).toEqual([]);
  });
});

/** The lines that say something: no heads of tables. */
function linesOf(lines: readonly string[]): string[] {
  return lines.filter((line, at) => !(line.startsWith('|') && !lines[at - 1]?.startsWith('|')));
}

/** Types of the contract: what stands before one is the name of a parameter. */
const TYPED = /(\w{2,}) (?:String|int|long|float|bool)\b/g;

/** Fields, operations, parameters and whatever else a line has in code. */
function namesOf(line: string): string[] {
  const inCode = [...line.matchAll(/`([^`]+)`/g)].flatMap(([, text]) => text!.match(/[a-z]\w+/gi));
  const [, first = ''] = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
  const field = /^[a-z]\w+$/i.test(first) ? [first] : [];
  const parameters = [...line.matchAll(TYPED)].map(([, name]) => name!);
  return [...inCode, ...field, ...parameters].filter((name) => name !== null);
}
