/** The look of the page: one column on a phone, two where there is room; light and dark. On paper it is light. */
export const STYLE = `
:root {
  color-scheme: light;
  --paper: #ffffff; --sheet: #f6f6f3; --ink: #1d2227; --muted: #586069; --rule: #e3e3dd;
  --account: #2b5f94; --held: #8d7f62; --gain: #15724f; --loss: #b03a2e;
}
@media screen {
  :root[data-theme=dark] {
    color-scheme: dark;
    --paper: #14171a; --sheet: #1c2024; --ink: #e4e7ea; --muted: #9ba5ae; --rule: #2d3339;
    --account: #86b8ea; --held: #bcae90; --gain: #62c79c; --loss: #ee8d82;
  }
}
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-theme=light]) {
    color-scheme: dark;
    --paper: #14171a; --sheet: #1c2024; --ink: #e4e7ea; --muted: #9ba5ae; --rule: #2d3339;
    --account: #86b8ea; --held: #bcae90; --gain: #62c79c; --loss: #ee8d82;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
main, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
main { padding-top: 28px; }
footer { padding-top: 24px; padding-bottom: 40px; font-size: 13px; }
section { margin-top: 44px; min-width: 0; }
h1 {
  font-size: 30px; line-height: 1.2; font-weight: 650; margin: 4px 0 10px; overflow-wrap: anywhere;
}
h2 { font-size: 18px; font-weight: 650; margin: 0 0 8px; }
p { margin: 0 0 8px; }
a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: 3px; }
a:hover { text-decoration-color: currentColor; }
.muted, .legend, .readout { color: var(--muted); }
.hidden {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.gain { color: var(--gain); }
.loss { color: var(--loss); }
.headline, .title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; }
.headline > :first-child, .title > h2 { margin-right: auto; }
.kind { color: var(--muted); margin: 0; overflow-wrap: anywhere; }
.sentence { font-size: 18px; text-wrap: pretty; }
.note {
  background: var(--sheet); border-left: 3px solid var(--held); padding: 8px 12px; margin: 10px 0;
  font-size: 14px;
}
.note p:not(:last-child) { margin-bottom: 6px; }
.note p:last-child { margin: 0; }
button, select {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--rule);
  border-radius: 6px; padding: 2px 10px; cursor: pointer;
}
button.quiet { font-size: 13px; color: var(--muted); padding: 0 8px; }
button[data-reset] { white-space: nowrap; }
button:hover { border-color: var(--muted); }
:focus-visible { outline: 2px solid var(--account); outline-offset: 2px; }
#theme { font-size: 17px; line-height: 1.3; }
.tiles {
  display: grid; grid-template-columns: repeat(4, 1fr); gap: 1px; margin: 16px 0;
  background: var(--rule); border: 1px solid var(--rule); border-radius: 10px; overflow: hidden;
}
.tile { background: var(--paper); padding: 14px 16px; min-width: 0; }
.tile dt { color: var(--muted); font-size: 13px; }
.tile dd { margin: 2px 0 0; }
.value { display: block; font-size: 23px; line-height: 1.25; font-weight: 600; }
.beside { display: block; font-size: 13px; color: var(--muted); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 13px; margin: 0; }
.key { color: var(--ink); }
.key:is(.account, .alone, .held, .fall)::before {
  content: ''; display: inline-block; width: 16px; height: 3px; border-radius: 2px;
  vertical-align: middle; margin-right: 7px; background: var(--account);
}
.key.held::before { background: var(--held); }
.key.alone::before { height: 0; border-top: 2px dashed var(--muted); background: none; }
.key.fall::before { background: var(--loss); }
.key.buy { color: var(--gain); }
.key.sell { color: var(--loss); }
.readout { font-size: 13px; min-height: 20px; margin: 2px 0 4px; }
.chart { margin: 0; }
.chart > div { height: 440px; border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; }
figcaption { font-size: 13px; min-height: 20px; margin-top: 4px; color: var(--muted); }
/* A shade at each side that can be scrolled to; covered at a side that cannot. */
.scroll {
  overflow-x: auto; max-width: 100%;
  --shade: color-mix(in srgb, var(--ink) 26%, transparent);
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 48px 100% local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 48px 100% local,
    linear-gradient(to right, var(--shade), transparent) left / 16px 100%,
    linear-gradient(to left, var(--shade), transparent) right / 16px 100%;
  background-repeat: no-repeat;
}
.scroll[data-wide] caption span::after { content: ' · scroll sideways for more →'; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; color: var(--muted); font-size: 13px; padding: 4px 0; }
caption span { position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 32px); }
th, td {
  padding: 5px 0 5px 14px; border-bottom: 1px solid var(--rule); text-align: right;
  vertical-align: top;
}
td { white-space: nowrap; }
th:first-child, td:first-child { padding-left: 0; }
th[scope=row], th:first-child, .word { text-align: left; font-weight: 400; }
thead th { color: var(--muted); font-weight: 400; font-size: 13px; white-space: nowrap; }
td .reason { color: var(--muted); font-size: 13px; white-space: normal; }
.columns { columns: 2; column-gap: 48px; }
.columns > * { break-inside: avoid; padding-bottom: 20px; }
/* The same widths in all tables, so that their columns stand below each other. */
.columns th:not(:first-child), .columns td { width: 26%; }
.columns caption { color: var(--ink); font-size: 15px; font-weight: 600; }
.beside-each-other {
  display: grid; grid-template-columns: 1fr 1fr; gap: 0 48px; align-items: start;
}
.beside-each-other > * { min-width: 0; }
.heat td, .heat th { text-align: center; padding: 7px 4px; min-width: 58px; }
.heat th:first-child { text-align: left; min-width: 44px; }
.heat .warm {
  color: var(--ink); background: color-mix(in srgb, var(--tone) var(--strength), transparent);
}
.heat .gain { --tone: var(--gain); }
.heat .loss { --tone: var(--loss); }
.heat .whole { font-weight: 600; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 8px; margin-top: 10px; }
.plot .unit { grid-column: 1 / -1; margin-bottom: 8px; font-size: 13px; color: var(--muted); }
.counts { position: relative; width: calc(var(--digits) * 1ch); font-size: 13px; }
.counts span {
  position: absolute; right: 0; line-height: 1; transform: translateY(50%); color: var(--muted);
}
.bars {
  position: relative; display: flex; align-items: flex-end; height: 180px; gap: 2px;
  border-bottom: 1px solid var(--muted);
}
.line { position: absolute; left: 0; right: 0; border-top: 1px solid var(--rule); }
.plot .axis { grid-column: 2; }
.bar { flex: 1; height: 100%; display: flex; align-items: flex-end; min-width: 0; }
.bar i {
  position: relative; display: block; width: 100%; border-radius: 2px 2px 0 0;
  background: color-mix(in srgb, currentColor 78%, var(--paper));
}
.bar:hover i { background: currentColor; }
.axis { position: relative; height: 24px; font-size: 13px; color: var(--muted); }
.axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.axis span[data-at='0'] { transform: none; }
.axis span[data-at='100'] { transform: translateX(-100%); }
.meter { width: 45%; padding-top: 11px; }
.meter i { display: block; height: 8px; border-radius: 4px; background: var(--held); opacity: .8; }
.trades { font-size: 13px; }
.trades :is(th, td) { vertical-align: baseline; }
.trades th[scope=row] { white-space: nowrap; }
details { margin-top: 10px; }
.metric { margin: 0; }
.metric summary {
  color: inherit; list-style: none; display: inline; text-decoration: underline dotted var(--muted);
  text-underline-offset: 3px;
}
.metric summary::-webkit-details-marker { display: none; }
.metric span {
  display: block; max-width: 60ch; margin: 2px 0 4px; font-size: 13px; font-weight: 400;
  color: var(--muted); white-space: normal;
}
tfoot :is(th, td) { font-weight: 600; border-bottom: 0; }
summary { cursor: pointer; color: var(--muted); }
ul { margin: 8px 0; padding-left: 20px; }
.confession {
  border-left: 3px solid var(--held); background: var(--sheet); padding: 10px 14px 10px 32px;
}
.facts { display: flex; flex-wrap: wrap; gap: 8px 32px; margin: 0; }
.facts div { min-width: 0; }
.facts dt { color: var(--muted); font-size: 13px; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
pre {
  background: var(--sheet); border-radius: 8px; padding: 14px 16px; margin: 10px 0 0;
  overflow: auto; max-height: 480px;
  font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.glossary { columns: 2; column-gap: 48px; margin: 12px 0 0; font-size: 14px; }
.glossary dt { font-weight: 600; break-after: avoid; }
.glossary dd { margin: 0 0 12px; color: var(--muted); break-inside: avoid; }
@media screen and (max-width: 720px) {
  main, footer { padding-left: 16px; padding-right: 16px; }
  main { padding-top: 18px; }
  section { margin-top: 34px; }
  h1 { font-size: 24px; }
  .sentence { font-size: 16px; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .tile { padding: 10px 12px; }
  .value { font-size: 19px; }
  .columns, .glossary { columns: 1; }
  .beside-each-other { grid-template-columns: minmax(0, 1fr); }
  .chart > div { height: 380px; }
  .readout { min-height: 40px; }
  .bars { height: 140px; gap: 1px; }
  .axis .near { display: none; }
  .title:has(label) > h2 { flex: 1 0 100%; }
  .title > button { margin-left: auto; }
  /* A row is a block: its head, then each cell below the name of its column. */
  .stacks thead { display: none; }
  .stacks tr {
    display: grid; grid-template-columns: repeat(3, 1fr); gap: 2px 12px; padding: 8px 0;
    border-bottom: 1px solid var(--rule);
  }
  .stacks :is(th, td) { padding: 0; border: 0; text-align: left; min-width: 0; }
  .stacks th { grid-column: 1 / -1; font-weight: 600; overflow-wrap: anywhere; }
  .stacks td::before {
    content: attr(data-name); display: block; color: var(--muted); font-size: 12px;
    font-weight: 400;
  }
  .stacks td:empty::before { content: none; }
  .columns table { font-size: 13px; }
  .columns :is(th, td):not(:first-child) { padding-left: 8px; }
}
@media print {
  button, .readout { display: none; }
  main, footer { padding: 0; }
  h2, h2 + p, .title, .legend { break-after: avoid; }
  tr, .chart, .plot, .tile, .stacks { break-inside: avoid; }
  /* Otherwise every printed page of a table would end with its totals. */
  tfoot { display: table-row-group; }
  .key::before, .warm, .bar i, .meter i { print-color-adjust: exact; }
  /* Nothing scrolls on paper. */
  .scroll { overflow: visible; background: none; }
  .scroll[data-wide] caption span::after { content: none; }
  .chart > div { width: fit-content; height: auto; }
  .chart > div > * { zoom: var(--on-paper); }
  /* A chart is printed as it was drawn last. */
  [data-drawn-dark] .chart > div > * { filter: invert(1) hue-rotate(180deg) brightness(1.1); }
  /* Nothing unfolds on paper. Definitions stand at the end; a plot's bars show its table. */
  .plot + details, #equity-chart + figcaption { display: none; }
  details:not(.metric)::details-content { content-visibility: visible; }
  details:not(.metric) > summary { list-style: none; }
  .value { font-size: 18px; }
  .beside { font-size: 11px; }
  .tiles { gap: 0; }
  .tile { outline: 1px solid var(--rule); }
  .columns { column-gap: 24px; }
  .columns:has(th:nth-child(4)) { columns: 1; }
  .columns table { font-size: 11px; }
  .columns :is(th, td):not(:first-child) { padding-left: 6px; font-size: inherit; }
  .columns td .reason { font-size: 10px; }
  .trades { font-size: 9px; }
  .trades thead th { font-size: inherit; }
  .trades :is(th, td) { padding-left: 5px; }
  .heat { font-size: 11px; }
  .heat :is(td, th) { min-width: 0; }
  pre { max-height: none; white-space: pre-wrap; columns: 2; padding: 0; font-size: 9px; }
}
`;
