import { type Content, type Html, html } from './html.ts';

export interface TableOptions {
  readonly caption: string;
  /** Names of the columns; the first is that of the rows' own heads. */
  readonly heads: readonly Content[];
  /** Rows made by `row`. */
  readonly rows: readonly Html[];
  /** A class for the table. Default: none. */
  readonly look?: string;
  /** Whether the names of the columns are for screen readers alone. Default: false. */
  readonly hidesHeads?: boolean;
}

/** A table with a caption, in a box of its own that scrolls sideways where it is too wide. */
export function table({ caption, heads, rows, look = '', hidesHeads }: TableOptions): Html {
  const cells = heads.map((head) => html`<th scope="col">${head}</th>`);
  return html`<div class="scroll"><table class="${look}"><caption><span>${caption}</span></caption>
<thead class="${hidesHeads ? 'hidden' : ''}"><tr>${cells}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** A row: its head, then a cell for each text, or cells made by `cell`. */
export function row(head: Content, cells: readonly (Html | string)[]): Html {
  const filled = cells.map((content) => (typeof content === 'string' ? cell(content) : content));
  return html`<tr><th scope="row">${head}</th>${filled}</tr>
`;
}

/** A cell with classes. */
export function cell(content: Content, look = ''): Html {
  return look === '' ? html`<td>${content}</td>` : html`<td class="${look}">${content}</td>`;
}
