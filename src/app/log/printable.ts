/**
 * What a terminal does not show as a sign of its own: control and format characters (bidirectional
 * ones, zero widths), what is ignored or unassigned, line separators, and blanks but the usual one.
 */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** A text of somebody else with each character that cannot be seen as `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}
