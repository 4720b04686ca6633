/** Text that is HTML already; whatever is not of this class is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: plain text is escaped; nothing is shown for `undefined`. */
export type Content = Html | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for the inside of an element or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** A template of HTML: every text put in is escaped, in elements and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: parts }, ...contents.map(render)));
}

/** A space between a number and its unit, percent or a currency: no line may break there. */
const BEFORE_UNIT = /(?<=\d) (?=%|[A-Z]{2})/g;

function render(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  return typeof content === 'object'
    ? content.map(render).join('')
    : escapeHtml(String(content).replace(BEFORE_UNIT, '\u00a0'));
}

/** Escaped text that readers may copy: spaces before units stay plain spaces. */
export function exact(text: string): Html {
  return new Html(escapeHtml(text));
}

/** Data for a script element: JSON in which no text can end the element or open a comment. */
export function scriptJson(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

/**
 * A program for a script element. Only inside a string, a template or a pattern can `</script` or
 * `<!--` stand in a program; the backslash put in there does not change what they mean.
 */
export function scriptCode(code: string): Html {
  return new Html(code.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--'));
}
