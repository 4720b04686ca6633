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
