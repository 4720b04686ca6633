import type { Analysis } from '../../analysis.ts';
import { formatNumber, formatShare, formatTime } from '../../format.ts';
import type { DatasetCoverage } from '../../record.ts';
import { exact, type Html, html } from '../html.ts';
import { row, table } from '../table.ts';

/** What the run stands on: its fill model, its data, its settings. */
export function premises(analysis: Analysis): Html {
  return html`${fillModel(analysis)}${coverage(analysis)}${settings(analysis)}`;
}

function fillModel({ record: { fillModel: model } }: Analysis): Html {
  const sentences = model.confession.map((sentence) => html`<li>${sentence}</li>`);
  return html`<section aria-labelledby="model-title"><h2 id="model-title">How orders filled</h2>
<p>By the fill model <strong>${model.name}</strong>. What it does, and what it leaves out:</p>
<ul class="confession">${sentences}</ul></section>`;
}

function coverage({ record }: Analysis): Html | undefined {
  if (record.coverage.length === 0) return undefined;
  return html`<section aria-labelledby="data-title"><h2 id="data-title">Data</h2>${table({
    caption: 'What was replayed, and how much of the period it covers',
    heads: ['Dataset', 'Rows', 'From', 'To', 'Coverage'],
    rows: record.coverage.map(datasetRow),
  })}${record.coverage.map(findings)}</section>`;
}

function datasetRow({ name, rows, from, to, coverage: share }: DatasetCoverage): Html {
  const covered = formatShare(share);
  return row(name, [formatNumber(rows, 0), formatTime(from), formatTime(to), covered]);
}

function findings({ name, findings: sentences }: DatasetCoverage): Html | undefined {
  if (sentences.length === 0) return undefined;
  return html`<details open><summary>Findings in ${name}: ${sentences.length}</summary>
<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></details>`;
}

function settings({ record }: Analysis): Html {
  const { counts, journalHash, seed, version } = record;
  const facts = [
    ['Events', formatNumber(counts.events, 0)],
    ['Wishes', formatNumber(counts.intents, 0)],
    ['Orders', formatNumber(counts.orders, 0)],
    ['Fills', formatNumber(counts.fills, 0)],
    ['Seed', exact(seed)],
    ['Tradewind', version],
    ['Journal hash', journalHash],
  ];
  const entries = facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<section aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
<dl class="facts">${entries}</dl>
<details><summary>Configuration as it took effect</summary>
<pre tabindex="0">${exact(JSON.stringify(record.settings, null, 2))}</pre></details></section>`;
}
