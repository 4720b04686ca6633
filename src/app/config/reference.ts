import type { JsonSchema } from './json-schemas.ts';

/** One group of settings: where it stands in the file and what it may say. */
interface Group {
  readonly path: string;
  readonly about: string;
  readonly schema: JsonSchema;
}

/** Tables of all settings in Markdown, a group each, in the order of the file. */
export function settingsReference(schema: JsonSchema): string {
  const groups = groupsOf({ path: '', about: '', schema });
  return groups.map(tableOf).join('\n\n');
}

/** The group itself, then the groups in it. */
function groupsOf(group: Group): Group[] {
  const { path, schema } = group;
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter(hasProperties);
  if (alternatives.length > 0) {
    return alternatives.flatMap((one) =>
      groupsOf({ ...group, path: named(path, one), schema: one }),
    );
  }
  if (!hasProperties(schema)) return [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const at = path === '' ? key : `${path.replace(/ \(.*/, '')}.${key}`;
    const { path: end, schema: within } = entriesOf(value);
    return groupsOf({ path: at + end, about: value.description ?? '', schema: within });
  });
  return [group, ...inner];
}

function hasProperties({ properties }: JsonSchema): boolean {
  return properties !== undefined;
}

/** What a list or a map holds, or one within the other, or the schema itself. */
function entriesOf(schema: JsonSchema, path = ''): { path: string; schema: JsonSchema } {
  const { items, additionalProperties: entries } = schema;
  if (items !== undefined) return entriesOf(items, `${path}[]`);
  if (typeof entries === 'object') return entriesOf(entries, `${path}.<name>`);
  return { path, schema };
}

/** Alternatives of a group go by their `kind`. */
function named(path: string, { properties }: JsonSchema): string {
  const kind = properties?.kind?.const;
  return kind === undefined ? path : `${path} (kind: ${kind})`;
}

function tableOf({ path, about, schema }: Group): string {
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {})
    .filter(([key]) => key !== '$schema')
    .map(([key, value]) => rowOf(`\`${key}\``, { value, isRequired: required.has(key) }));
  const head = path === '' ? [] : [`### \`${path}\``, '', ...(about === '' ? [] : [about, ''])];
  return [...head, '| key | value | default | what it says |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function rowOf(
  key: string,
  { value, isRequired }: { value: JsonSchema; isRequired: boolean },
): string {
  const about = (value.description ?? '').replaceAll('<', '&lt;').replaceAll('|', '\\|');
  return `| ${[key, typeOf(value), defaultOf(value, isRequired), about].join(' | ')} |`;
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true, false',
  array: 'list',
  object: 'group',
};

function typeOf(schema: JsonSchema): string {
  const { type, enum: values, const: value, anyOf, oneOf, items } = schema;
  if (value !== undefined) return `\`${value}\``;
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(', ');
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) return [...new Set(branches.map(typeOf))].join(' or ');
  if (items !== undefined) return `list of ${typeOf(items)}s`.replace(/ss$/, 's');
  return [type ?? 'anything']
    .flat()
    .map((one) => NOUNS[one] ?? one)
    .join(' or ');
}

function defaultOf(
  { default: value, type, description = '' }: JsonSchema,
  isRequired: boolean,
): string {
  if (isRequired) return 'required';
  if (value === undefined) return /Default: |Without it: /.test(description) ? '' : 'none';
  if (type === 'object') return '';
  return `\`${JSON.stringify(value)}\``;
}
