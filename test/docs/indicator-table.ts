import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from '../app/fixture.ts';

/** An operator as the source declares it. */
export interface Operator {
  readonly name: string;
  /** As one writes it, defaults filled in: `atr(length = 14)`. */
  readonly call: string;
  readonly takes: string;
  readonly gives: string;
  /** Its first value: `after \`length\` values`. */
  readonly first: string;
  readonly about: string;
}

const FOLDER = new URL('src/strategy/indicators/', ROOT);
const SOURCE = readdirSync(FOLDER)
  .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
  .join('\n');

const OPERATOR =
  /\/\*\* ([^\n]+) \*\/\nexport const (\w+) =\s+\((.*?)\): OperatorFunction<(.+), (\w+)> =>/g;

/** Every operator of the source, by name. */
export function operators(): Operator[] {
  const found = [...SOURCE.matchAll(OPERATOR)].map(([, doc, name, parameters, input, output]) => {
    const [, about, warm] = /^(.*?) Warm ([^.]+)\.$/.exec(doc!) ?? [];
    if (about === undefined) throw new Error(`Cannot tell when ${name} is warm: ${doc}`);
    return {
      ...{ name: name!, call: `${name}(${parametersOf(parameters!)})` },
      ...{ takes: inputOf(input!), gives: shapeOf(output!), first: warm!, about },
    };
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The table of all of them in Markdown. */
export function indicatorTable(): string {
  const rows = operators().map(
    ({ call, takes, gives, first, about }) =>
      `| \`${call}\` | ${takes} | ${gives} | ${first} | ${about} |`,
  );
  const head = '| operator | takes | gives | first value | what it is |\n|---|---|---|---|---|';
  return [head, ...rows].join('\n');
}

/** The defaults in options, as one writes them. */
export function defaultsOf(options: string): Record<string, number> {
  const fields = [...bodyOf(options).matchAll(/Default: (\d+)[^*]*\*\/\s+readonly (\w+)\?/g)];
  return Object.fromEntries(fields.map(([, value, field]) => [field!, Number(value)]));
}

function parametersOf(text: string): string {
  const [, options] = /^options\?: (\w+)$/.exec(text) ?? [];
  if (options === undefined) return text.replace(/: number$/, '').replace(/: (\w+)$/, '');
  const fields = Object.entries(defaultsOf(options)).map(([field, value]) => `${field} = ${value}`);
  return `{ ${fields.join(', ')} }`;
}

const INPUTS: Readonly<Record<string, string>> = {
  number: 'numbers',
  Bar: 'candles',
  VolumeBar: 'candles',
  Depth: 'books',
  Freshness: '`freshness()`',
  'readonly [number, number]': 'pairs of numbers',
};

function inputOf(type: string): string {
  const known = INPUTS[type];
  if (known === undefined) throw new Error(`Cannot name what an operator takes: ${type}`);
  return known;
}

const OUTPUTS: Readonly<Record<string, string>> = {
  number: 'number',
  boolean: 'true, false',
  Cross: "`'up'`, `'down'`",
};

function shapeOf(type: string): string {
  if (OUTPUTS[type] !== undefined) return OUTPUTS[type];
  const fields = [...bodyOf(type).matchAll(/readonly (\w+): ([^;]+);/g)].map(([, name, of]) =>
    of === 'number' ? name : `${name}: ${of}`,
  );
  return `\`{ ${fields.join(', ')} }\``.replaceAll('|', '\\|');
}

function bodyOf(name: string): string {
  const [, body] = new RegExp(`export interface ${name} {([^}]+)}`).exec(SOURCE) ?? [];
  if (body === undefined) throw new Error(`Cannot find the interface ${name}`);
  return body;
}
