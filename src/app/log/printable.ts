/**
 * What a terminal does not show as a sign of its own: control and format characters (bidirectional
 * ones, zero widths), what is ignored or unassigned, line separators, and blanks but the usual one.
 */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** A text of somebody else with each character that cannot be seen as `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}

/** What is beside usual signs in JSON, whose lines may end. */
const OTHER = /[^ -~\n]/;
const UNSEEN_IN_JSON = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON with each character within its texts that cannot be seen escaped: it means the same. */
export function printableJson(json: string): string {
  if (!OTHER.test(json)) return json;
  return json.replace(UNSEEN_IN_JSON, (sign) =>
    sign
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
