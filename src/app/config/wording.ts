import { z } from 'zod';
import { Decimal } from '../../kernel/index.ts';
import { didYouMean } from './suggest.ts';

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

/** What a schema's types are called in a sentence. */
const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  date: 'a date',
  array: 'a list',
  object: 'a group of settings',
  record: 'a group of settings',
};

/**
 * An issue in plain words: "it is -1, a number above 0 is wanted".
 *
 * Handed to zod as its error map, so that messages which a schema brings along come first.
 */
export function wordingOf(issue: RawIssue): string | undefined {
  const wanted = wantedBy(issue as Issue);
  if (wanted === undefined) return undefined;
  const value = wrongValue(issue);
  // A date or NaN is what a schema made of the value in the file: do not quote that.
  if (value instanceof Date || Number.isNaN(value)) return `${wanted} is wanted`;
  const hint = typeof value === 'string' ? didYouMean(value, optionsOf(issue as Issue)) : '';
  return `${observed(value)}, ${wanted} is wanted${hint}${quotedOf(issue)}`;
}

/**
 * `, in quotes: "0.5"` where a text of digits, such as an amount, is wanted and a bare number came;
 * else nothing.
 */
function quotedOf({ code, input, inst }: RawIssue): string {
  if (code !== 'invalid_type' || typeof input !== 'number' || !Number.isFinite(input)) return '';
  const text = Decimal.of(input).toString();
  const isTaken = inst instanceof z.ZodString && inst.safeParse(text).success;
  if (!isTaken) return '';
  // With more digits, the number may have lost some already.
  return digitsOf(text) > EXACT_DIGITS ? ', in quotes' : `, in quotes: "${text}"`;
}

/** Digits of a decimal that a double always keeps. */
const EXACT_DIGITS = 15;

function digitsOf(text: string): number {
  return text.replace(/^0\.0*|\D/g, '').length;
}

/** The wrong value: for alternatives chosen by a key, such as `kind`, the value of that key. */
function wrongValue({ input, discriminator }: RawIssue): unknown {
  return typeof discriminator === 'string'
    ? (input as Readonly<Record<string, unknown>> | undefined)?.[discriminator]
    : input;
}

/** `it is -1`, `it is missing`, `it is a list`: a value of a file, for people. */
export function observed(value: unknown): string {
  if (value === undefined || value === null) return 'it is missing';
  if (value === '') return 'it is empty';
  if (Array.isArray(value)) return value.length === 0 ? 'it is an empty list' : 'it is a list';
  if (typeof value === 'object') return 'it is a group of settings';
  if (typeof value !== 'string') return `it is ${String(value)}`;
  // A file that is no deployment may be read as one long text.
  const isLong = value.length > OBSERVED_MAX;
  return `it is ${JSON.stringify(isLong ? `${value.slice(0, OBSERVED_MAX)}…` : value)}`;
}

/** Most characters of a text that are quoted. */
const OBSERVED_MAX = 100;

function wantedBy(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return NOUNS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return oneOf(issue.values.map(String));
    case 'too_small':
      return bounded(issue.origin, issue.inclusive ? 'at least' : 'above', issue.minimum);
    case 'too_big':
      return bounded(issue.origin, issue.inclusive ? 'at most' : 'below', issue.maximum);
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'an address such as https://host' : undefined;
    case 'invalid_union':
      return unionOf(issue);
    default:
      return undefined;
  }
}

function bounded(origin: string, relation: string, limit: number | bigint): string {
  if (origin === 'array') return `a list of ${relation} ${limit}`;
  if (origin !== 'string')
    return `a number ${relation === 'above' || relation === 'below' ? '' : 'of '}${relation} ${limit}`;
  return limit === 1 ? 'a text' : `a text of ${relation} ${limit} characters`;
}

function unionOf(issue: Extract<Issue, { code: 'invalid_union' }>): string | undefined {
  const options = optionsOf(issue);
  if (options.length > 0) return oneOf(options);
  const branches = (issue.errors as Issue[][]).flatMap(([first]) => first ?? []);
  const nouns = branches.flatMap((branch) => wantedBy(branch) ?? []);
  return nouns.length === 0 ? undefined : [...new Set(nouns)].join(' or ');
}

/** The names among which one has to be chosen. */
function optionsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  const { options } = issue as { options?: unknown };
  return Array.isArray(options) ? options.map(String) : [];
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `one of ${names.join(', ')}`;
}
