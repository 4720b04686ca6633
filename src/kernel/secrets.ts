/**
 * The name of an environment variable, as shells allow it. Neither a UUID, the form of keys, nor an
 * address matches: a secret put in place of the name is refused, never reported as a variable.
 */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Replaces what a text must not show by `***`. */
export type Blot = (text: string) => string;

/**
 * Every form in which these secrets may appear in a text: as they are, as a value of a query, and
 * within a JSON string. The longest first: a shorter form may be part of a longer one.
 */
export function writingsOf(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(writings))].sort((a, b) => b.length - a.length);
}

function writings(secret: string): readonly string[] {
  const query = new URLSearchParams({ '': secret }).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, query, query.replaceAll('+', '%20'), encoded(secret), json];
}

function encoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}
