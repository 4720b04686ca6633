/**
 * The name of an environment variable, as shells take one. No UUID, as keys are, and no address is
 * one: what stands in the place of the name by mistake is not told as that.
 */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Puts `***` in the place of what must not be shown in a text. */
export type Blot = (text: string) => string;

/**
 * Every way in which a text may write one of these secrets: as it is, as a value of a query, and as
 * a part of a JSON string. The longest first: a shorter one may be a part of it.
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
