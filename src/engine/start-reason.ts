/** Prefix before the definition's name. It is in journals and must not change. */
const AHEAD = 'strategy ';

/** The reason published when a strategy starts. */
export function startReason(definition: string): string {
  return `${AHEAD}${definition}`;
}

/** The definition's name in such a reason; undefined for any other text. */
export function definitionIn(reason: string): string | undefined {
  return reason.startsWith(AHEAD) ? reason.slice(AHEAD.length) : undefined;
}
