import { type Content, type Html, html } from './html.ts';

export interface TableOptions {
  readonly caption: string;
  /** Names of the columns, or heads made by `head`; the first is for the column of row heads. */
  readonly heads: readonly (Html | string)[];
  /** Rows made by `row`. */
  readonly rows: readonly Html[];
  /** A row of totals at the foot. Default: none. */
  readonly foot?: Html | undefined;
  /** A class for the table. Default: none. */
  readonly look?: string;
  /** Whether the names of the columns are for screen readers alone. Default: false. */
  readonly hidesHeads?: boolean;
}

/** A table with a caption, in a box of its own that scrolls sideways where it is too wide. */
export function table(options: TableOptions): Html {
  const { caption, heads, rows, foot, look = '', hidesHeads } = options;
  const cells = heads.map((name) => (typeof name === 'string' ? head(name) : name));
  return html`<div class="scroll"><table class="${look}"><caption><span>${caption}</span></caption>
<thead class="${hidesHeads ? 'hidden' : ''}"><tr>${cells}</tr></thead>
<tbody>${rows}</tbody>${foot && html`<tfoot>${foot}</tfoot>`}</table></div>`;
}

/** The head of a column, with the classes of its cells if they are not aligned as numbers are. */
export function head(name: Content, look = ''): Html {
  const classes = look === '' ? undefined : html` class="${look}"`;
  return html`<th scope="col"${classes}>${name}</th>`;
}

/** A row: its head, then a cell for each text, or cells made by `cell`. */
export function row(head: Content, cells: readonly (Html | string)[]): Html {
  const filled = cells.map((content) => (typeof content === 'string' ? cell(content) : content));
  return html`<tr><th scope="row">${head}</th>${filled}</tr>
`;
}

/** A cell with classes, and with a name of its own where the table is stacked on a phone. */
export function cell(content: Content, look = '', name = ''): Html {
  const classes = look === '' ? undefined : html` class="${look}"`;
  const label = name === '' ? undefined : html` data-name="${name}"`;
  return html`<td${classes}${label}>${content}</td>`;
}
