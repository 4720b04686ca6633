import { bundledStrategies } from '../strategies/bundled-strategies.ts';
import {
  deploymentJsonSchema,
  exchangeJsonSchema,
  type JsonSchema,
  paramsJsonSchema,
} from './json-schemas.ts';
import { settingsReference } from './reference.ts';

/** Pages that hold tables of settings. */
const PAGES = ['docs/configuration.md', 'docs/exchange-simulator.md', 'docs/strategies.md'];

/**
 * Every file that is made, wholly or in part, from the schemas of the settings: the text it should
 * have, by its path from the root. `read` gives the present text of a file.
 */
export async function generatedFiles(
  read: (path: string) => string,
): Promise<Record<string, string>> {
  const deployment = await deploymentJsonSchema();
  const exchange = exchangeJsonSchema();
  const tables = new Map<string, JsonSchema>([['deployment', deployment]]);
  for (const group of ['server', 'time', 'admin']) {
    tables.set(group, exchange.properties?.[group] ?? {});
  }
  for (const name of bundledStrategies()) tables.set(name, await paramsJsonSchema(name));
  return {
    'config/schema.json': jsonText(deployment),
    'config/exchange.schema.json': jsonText(exchange),
    ...Object.fromEntries(PAGES.map((page) => [page, withTables(read(page), tables)])),
  };
}

/** The text of a page, with each table between its two marks renewed. */
function withTables(text: string, schemas: ReadonlyMap<string, JsonSchema>): string {
  const marks = /(<!-- settings: ([\w-]+) -->)[\s\S]*?(<!-- end of settings -->)/g;
  return text.replace(marks, (all, begin: string, name: string, end: string) => {
    const schema = schemas.get(name);
    return schema === undefined ? all : `${begin}\n\n${settingsReference(schema)}\n\n${end}`;
  });
}

/** JSON as the project's formatter writes it: short lists of plain values on one line. */
function jsonText(value: unknown): string {
  return `${written(value, '')}\n`;
}

const COLUMNS = 100;

/** A value as JSON. `begun`: how many characters of its line come before it. */
function written(value: unknown, indent: string, begun = indent.length): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).map(([key, one]) => {
      const name = `${inner}${JSON.stringify(key)}: `;
      return name + written(one, inner, name.length);
    });
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`;
  }
  const items = value.map((one) => written(one, inner));
  const line = `[${items.join(', ')}]`;
  // One column is kept for a comma.
  if (!line.includes('\n') && begun + line.length < COLUMNS) return line;
  return `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`;
}
