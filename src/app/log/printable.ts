/**
 * Characters that a terminal does not show as such: control and format characters (bidirectional
 * ones, zero widths), ignored or unassigned ones, line separators, and blanks but the usual one.
 */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** A foreign text with its invisible characters escaped, such as `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}

/** Any character that is not printable ASCII or a line end. */
const OTHER = /[^ -~\n]/;
const UNSEEN_IN_JSON = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON with the invisible characters in its texts escaped, which keeps its meaning. */
export function printableJson(json: string): string {
  if (!OTHER.test(json)) return json;
  return json.replace(UNSEEN_IN_JSON, (sign) =>
    sign
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
