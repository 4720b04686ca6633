import type { JsonSchema } from './json-schemas.ts';

/** One group of settings: its path in the file and the schema of its keys. */
interface Group {
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether the group has exactly one of its keys. */
  readonly isChoice?: boolean;
}

/** Groups with the same keys, which share one table. */
interface Section {
  readonly paths: string[];
  readonly rows: readonly Row[];
}

/** One key of a group. */
interface Row {
  readonly key: string;
  /** The path of the first group within the key's value, if there is any. */
  readonly inner: string | undefined;
  readonly kind: string;
  readonly byDefault: string;
  readonly about: string;
}

/**
 * Tables of all settings in Markdown, in the order of the file. Groups with the same keys share a
 * table; a group whose keys are some of an earlier one's names them and refers to it.
 */
export function settingsReference(schema: JsonSchema): string {
  const sections = new Map<string, Section>();
  for (const group of groupsOf({ path: '', schema })) {
    const rows = rowsOf(group);
    const same = JSON.stringify(rows.map(({ inner, ...row }) => row));
    const known = sections.get(same);
    if (known === undefined) sections.set(same, { paths: [group.path], rows });
    else known.paths.push(group.path);
  }
  const all = [...sections.values()];
  return all.map((section, at) => textOf(section, all.slice(0, at), all)).join('\n\n');
}

/** The group itself, then the groups in it. */
function groupsOf(group: Group): Group[] {
  const { path, schema } = group;
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter(hasProperties);
  if (alternatives.length > 0) {
    return choicesIn(alternatives).flatMap((one) =>
      groupsOf({ ...one, path: one.isChoice ? path : named(path, one.schema) }),
    );
  }
  if (!hasProperties(schema)) return [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
    innerGroups(path, key, value),
  );
  return [group, ...inner];
}

/** The groups that a key of a group holds. */
function innerGroups(path: string, key: string, value: JsonSchema): Group[] {
  const at = path === '' ? key : `${path.replace(/ \(.*/, '')}.${key}`;
  const { path: end, schema } = entriesOf(value);
  return groupsOf({ path: at + end, schema });
}

function hasProperties({ properties }: JsonSchema): boolean {
  return properties !== undefined;
}

/** The schema of the entries of a list or a map, however nested; else the schema itself. */
function entriesOf(schema: JsonSchema, path = ''): { path: string; schema: JsonSchema } {
  const { items, additionalProperties: entries } = schema;
  if (items !== undefined) return entriesOf(items, `${path}[]`);
  if (typeof entries === 'object') return entriesOf(entries, `${path}.<name>`);
  return { path, schema };
}

/** The path of an alternative, with its key of a fixed value or else its first required key. */
function named(path: string, { properties = {}, required = [] }: JsonSchema): string {
  const [key, value] = Object.entries(properties).find(([, one]) => one.const !== undefined) ?? [];
  if (value !== undefined) return `${path} (${key}: ${value.const})`;
  return required[0] === undefined ? path : `${path} (${required[0]})`;
}

/** Joins alternatives of a single key each into one group, of whose keys one is to be chosen. */
function choicesIn(alternatives: readonly JsonSchema[]): Omit<Group, 'path'>[] {
  const ofOneKey = alternatives.filter(
    ({ properties = {} }) => Object.keys(properties).length === 1,
  );
  if (ofOneKey.length < 2) return alternatives.map((schema) => ({ schema }));
  const properties = Object.assign({}, ...ofOneKey.map((one) => one.properties));
  const others = alternatives.filter((one) => !ofOneKey.includes(one));
  return [{ schema: { properties }, isChoice: true }, ...others.map((schema) => ({ schema }))];
}

function rowsOf({ path, schema, isChoice }: Group): Row[] {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).filter(([key]) => key !== '$schema');
  return rows.map(([key, value]) => ({
    key,
    inner: innerGroups(path, key, value)[0]?.path,
    kind: typeOf(value),
    byDefault: isChoice ? 'one of these' : defaultOf(value, required.includes(key)),
    about: aboutOf(value),
  }));
}

function aboutOf({ description = '' }: JsonSchema): string {
  const text = description.replace(UNLIMITED, '');
  return text.replaceAll('<', '&lt;').replaceAll('|', '\\|');
}

function textOf(section: Section, earlier: readonly Section[], all: readonly Section[]): string {
  const { paths, rows } = section;
  const heading = paths.includes('') ? [] : [`### ${titleOf(section)}`, ''];
  const whole = earlier.find((one) =>
    rows.every((row) => one.rows.some((other) => isSame(row, other))),
  );
  if (whole !== undefined) {
    const keys = rows.map(({ key }) => `\`${key}\``).join(', ');
    const from = `${titleOf(whole)}](#${anchorOf(whole)})`;
    return [...heading, `Keys of [${from}, which hold for what is left out here: ${keys}.`].join(
      '\n',
    );
  }
  const lines = rows.map((row) => lineOf(row, all));
  return [
    ...heading,
    '| key | value | default | what it says |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** Whether two rows say the same, apart from their defaults. */
function isSame({ byDefault: _, inner: __, ...one }: Row, { key, kind, about }: Row): boolean {
  return one.key === key && one.kind === kind && one.about === about;
}

function titleOf({ paths }: Section): string {
  return paths.map((path) => `\`${path}\``).join(', ');
}

/** The anchor that GitHub makes of a section's heading. */
function anchorOf(section: Section): string {
  return titleOf(section)
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

function lineOf({ key, inner, kind, byDefault, about }: Row, all: readonly Section[]): string {
  const section = inner === undefined ? undefined : all.find(({ paths }) => paths.includes(inner));
  const link = section === undefined ? kind : linked(kind, anchorOf(section));
  return `| ${[`\`${key}\``, link, byDefault, about].join(' | ')} |`;
}

/** Links the word for a group to the group's table. */
function linked(kind: string, anchor: string): string {
  return kind.replace(/list of groups|group/, (words) => `[${words}](#${anchor})`);
}

/** The part of a description that the column of defaults tells already. */
const UNLIMITED = / Without it: no such limit\.$/;

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
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
  if (items?.enum !== undefined) return `list of ${typeOf(items)}`;
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
  if (UNLIMITED.test(description)) return 'no limit';
  if (value === undefined) return /Default: |Without it: /.test(description) ? '' : 'none';
  if (type === 'object') return '';
  return `\`${JSON.stringify(value)}\``;
}
