/** Ahead of the name of the definition. Journals have it: it stays as it is. */
const AHEAD = 'strategy ';

/** The reason of the start of a strategy. */
export function startReason(definition: string): string {
  return `${AHEAD}${definition}`;
}

/** The name of the definition that such a reason tells; undefined where it is another text. */
export function definitionIn(reason: string): string | undefined {
  return reason.startsWith(AHEAD) ? reason.slice(AHEAD.length) : undefined;
}
