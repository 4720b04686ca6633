import { runInNewContext, Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { escapeHtml, html, scriptCode, scriptJson } from '../../src/report/html/html.ts';
import { DRAWING } from '../../src/report/html/script/drawing.ts';
import { EQUITY } from '../../src/report/html/script/equity.ts';
import { PAGE } from '../../src/report/html/script/page.ts';
import { PRICE } from '../../src/report/html/script/price.ts';
import { STYLE } from '../../src/report/html/style.ts';
import { analyse, METRICS, type RunRecord, reportHtml } from '../../src/report/index.ts';
import { makeCurve, makeFill, makeMarket, makeRealisticRecord, makeRecord } from './fixture.ts';

const LIBRARY = 'window.LightweightCharts = {};';
/** The page, with plain spaces between numbers and their units. */
const page = (record: RunRecord, library = LIBRARY): string =>
  reportHtml(analyse(record), library).replaceAll('\u00a0', ' ');

const EVIL = `</script><script>alert(1)</script><img src=x onerror='alert("2")'>`;

function evilRecord(): RunRecord {
  const market = { ...makeRecord().markets[0]!, id: `${EVIL}_usdt` };
  return makeRecord({
    name: EVIL,
    mode: EVIL,
    version: EVIL,
    seed: EVIL,
    quote: EVIL,
    settings: { [EVIL]: [EVIL, '<!--'] },
    strategies: [EVIL],
    markets: [market],
    fills: [
      makeFill({ market: market.id, strategy: EVIL }),
      makeFill({ market: market.id, strategy: EVIL, side: 'sell' }),
    ],
    prices: new Map([
      [market.id, makeRealisticRecord({ minutes: 10, trades: 1 }).prices.get('btc_usdt')!],
    ]),
    fillModel: { name: EVIL, confession: [EVIL] },
    refusals: [{ code: EVIL, count: 1, wishes: 1 }],
    markouts: [{ market: EVIL, liquidity: 'maker', afterMs: 1, fills: 1, value: 1, gained: 1 }],
    coverage: [{ name: EVIL, rows: 1, from: 0, to: 1, coverage: 1, findings: [EVIL] }],
    journalHash: EVIL,
    notes: [EVIL],
  });
}

const ETHER = { id: 'eth_usdt', base: 'eth' };

/** The classes of all cells of each table, row by row, the heads first. */
const tablesOf = (text: string): string[][][] =>
  Array.from(text.matchAll(/<table.*?<\/table>/gs), ([table]) =>
    Array.from(table.matchAll(/<tr>.*?<\/tr>/gs), ([row]) =>
      Array.from(
        row.matchAll(/<t[hd](?: scope="\w+")?(?: class="([^"]*)")?/g),
        ([, of = '']) => of,
      ),
    ),
  );

describe('html', () => {
  test('escapes every text in elements and attributes, and keeps what is HTML', () => {
    const inner = html`<b>${'a & b'}</b>`;
    expect(html`<p title="${`"><'`}">${[inner, undefined, 5]}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;&#39;"><b>a &amp; b</b>5</p>',
    );
  });

  test('ends no line between a number and its unit', () => {
    expect(html`<p>${'lost 6.49 % (649.02 USDT) in 3 d'}</p>`.text).toBe(
      '<p>lost 6.49\u00a0% (649.02\u00a0USDT) in 3 d</p>',
    );
  });

  test('leaves settings and the seed as they are, for whoever copies them', () => {
    const record = makeRecord({ seed: '7 BTC', settings: { seed: '7 BTC', note: '<5 %>' } });
    const text = reportHtml(analyse(record), LIBRARY);
    expect(text).toContain('<dd>7 BTC</dd>');
    expect(text).toContain('&quot;note&quot;: &quot;&lt;5 %&gt;&quot;');
  });

  test('scriptJson and scriptCode cannot end their element', () => {
    expect(scriptJson({ text: '</script><!--' }).text).not.toContain('<');
    expect(JSON.parse(scriptJson({ text: '</script>' }).text)).toEqual({ text: '</script>' });
    expect(scriptCode("'</SCRIPT>'").text).toBe("'<\\/SCRIPT>'");
  });
});

describe('reportHtml', () => {
  test('names what a figure of its head is held against', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    const tile = text.slice(text.indexOf('<dl class="tiles">')).match(/<span class="beside">[^<]+/);
    expect(tile?.[0]).toMatch(/>buy and hold: \S+\s%$/);
  });

  test('lets no text of the record act as markup', () => {
    const text = page(evilRecord());
    expect(text).not.toContain(EVIL);
    expect(text).not.toContain('<img');
    expect(text.match(/<script/g)).toHaveLength(3);
    expect(text.match(/<\/script>/g)).toHaveLength(3);
    expect(text).toContain('&lt;img src=x onerror=&#39;alert(&quot;2&quot;)&#39;&gt;');
  });

  test('needs no network, and forbids it', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    // Nothing comes from where a link leads before a reader follows it.
    const [, ...links] = text.split('<a href="https://www.tradingview.com/">');
    expect(links).toHaveLength(1);
    expect(text.replace('<a href="https', '')).not.toMatch(/(?:src|href)=["']?(?:https?:)?\/\//);
    expect(text).not.toMatch(/@import|url\(/);
    expect(text).toContain('content="default-src &#39;none&#39;;');
  });

  test('holds data that the page can read, and a program that a browser can', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    const scripts = [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code!);
    const data = JSON.parse(scripts[0]!);
    expect(data.markets[0].id).toBe('btc_usdt');
    expect(data.markets[0].marks.kind.length).toBeGreaterThan(30);
    expect(scripts[1]).toBe(LIBRARY);
    expect(() => new Script(scripts[2]!)).not.toThrow();
  });

  test('names every section, captions every table, and defines every metric', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 60 }));
    for (const title of [
      ...['Equity and drawdown', 'Price and trades', 'Figures', 'Monthly returns'],
      ...['Distribution of trades', 'Costs', 'Refusals', 'Trades', 'How orders filled', 'Data'],
      ...['Settings', 'Definitions'],
    ]) {
      expect(text).toMatch(new RegExp(`<h2[^>]*>${title}</h2>`));
    }
    expect(text.match(/<table/g)?.length).toBe(text.match(/<caption/g)?.length);
    for (const { id } of METRICS) expect(text).toContain(`<dt id="about-${id}">`);
    for (const [, id] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${id}"`);
    for (const [, id] of text.matchAll(/getElementById\('([^']+)'\)|byId\('([^']+)'\)/g)) {
      if (id !== undefined && id !== 'market') expect(text).toContain(`id="${id}"`);
    }
  });

  test('is made of a run without prices, fills or time as well', () => {
    for (const curve of [makeCurve([]), makeCurve([0]), makeCurve([1000, 1000])]) {
      const record = makeRecord({ curve, period: { from: 0, to: 0 } });
      const text = page(record);
      expect(text).not.toMatch(/\b(?:NaN|undefined|Infinity)\b(?=[^<]*<\/(?:td|p|dd|span)>)/);
      expect(text).not.toContain('id="price-chart"');
    }
  });

  test('stays below 3 MB for as many candles as charts have, with thousands of trades', () => {
    const record = makeRealisticRecord({ minutes: 45_000, trades: 5_000 });
    expect(page(record, '').length).toBeLessThan(2_700_000);
  });

  test('says the sum of refusals, and what the fill model leaves out', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    expect(text).toContain('56 wishes were refused.');
    expect(text).toContain('41 in 410 tries');
    expect(text).toContain('are not modelled.</li>');
    expect(page(makeRecord({ missed: { count: 0, value: Decimal.ZERO } }))).toContain(
      'Nothing was refused.',
    );
  });
});

describe('the figures of a page', () => {
  test('hold each figure but costs once, in the table of its family', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 60 }));
    const [figures] = text.split('id="figures-title"')[1]!.split('<h2');
    const labels = [...figures!.matchAll(/">([^<]+)<\/summary>/g)].map(([, label]) => label);
    const families = METRICS.filter(({ family }) => family !== 'costs');
    expect(labels.toSorted()).toEqual(families.map(({ label }) => label).toSorted());
  });
});

describe('the head of a page', () => {
  test('has what decided the run ahead of its figures, all other notes behind them', () => {
    const notes = ['Trading was HALTED.', 'A strategy failed.', 'A gap.'];
    const text = page(makeRecord({ notes, decisive: 2 }));
    const [head, behind] = text.split('<dl class="tiles">');
    expect(head).toContain('<div class="note"><p>Trading was HALTED.</p><p>A strategy failed.</p>');
    expect(head).not.toContain('A gap.');
    expect(behind).toMatch(/^.*<\/dl>\s<div class="note"><p>A gap\.<\/p><\/div>/s);
  });

  test('leads from its head to what the fill model leaves out', () => {
    const [head] = page(makeRecord({})).split('<dl class="tiles">');
    expect(head).toContain('<a href="#model-title">what it leaves out</a>');
  });
});

describe("the page's script", () => {
  test('says from when to when the marks are, for within a day the axis tells hours alone', () => {
    expect(PRICE).toContain("clock(range.from) + ' to ' + clock(range.to)");
  });

  test('shows as many buys as sells where there are more than can be told apart', () => {
    const marks = Array.from({ length: 300 }, (_, time) => {
      return time % 2 === 0 ? { time, kind: 1, value: 100 } : { time, kind: -2, value: 99 };
    });
    const shown = runInNewContext(`${PRICE}; apart(marks, { from: 0, to: 299 })`, { marks });
    const kinds = shown.map(({ kind }: { kind: number }) => kind);
    expect(kinds).toHaveLength(60);
    expect(kinds.filter((kind: number) => kind > 0)).toHaveLength(30);
  });

  test('writes drawdowns as finely as they are deep, and nothing without a sign', () => {
    const script = `${DRAWING}; ${EQUITY};`;
    const run = (code: string) =>
      runInNewContext(script + code, { document: {}, getComputedStyle: () => ({}) });
    expect(run('percentText(-0.04, 1)')).toBe('0.0\u00a0%');
    expect(run('percentText(-0.06, 1)')).toBe('-0.1\u00a0%');
    expect(run('[amountOf(-1234567.5, 3), amountOf(-1e-12, 3)].join()')).toBe('-1,234,567.5,0');
    const places = [-0.05, -0.5, -16].map((value) =>
      run(`percentPlaces([{ value: 0 }, { value: ${value} }])`),
    );
    expect(places).toEqual([3, 2, 1]);
  });
});

describe('the page of a run', () => {
  test('holds the account against its starting balances, left alone, ahead of all else', () => {
    const pageOf = (more: object): string =>
      page(makeRecord({ curve: { ...makeCurve([1000, 1007.5]), ...more } }));
    const beside = { buyAndHold: Float64Array.of(1000, 1081) };
    const leftAlone = Float64Array.of(1000, 1033.5);
    const text = pageOf({ ...beside, leftAlone });
    expect(text).toContain(
      'The account gained 0.75 % (7.50 USDT) in 1 d; the starting balances, left alone, ' +
        'gained 3.35 %; buying and holding gained 8.10 %.',
    );
    expect(text).toContain('<span class="beside">left alone: 3.35 %</span>');
    expect(text).toContain('<span class="key alone">Left alone</span>');
    expect(text).toMatch(/"leftAlone":\{"time".*?"deltas":\[100000,3350\]/);
    expect(text).toMatch(
      /Account<\/th><th scope="col">Left alone<\/th><th scope="col">Buy and hold</,
    );
    const money = pageOf(beside);
    expect(money).toContain('gained 0.75 % (7.50 USDT) in 1 d; buying and holding gained 8.10 %.');
    expect(money.split('<script')[0]).not.toMatch(/left alone/i);
    const unpriced = { leftAlone: Float64Array.of(1000, Number.NaN) };
    expect(pageOf(unpriced)).toContain('gained 0.75 % (7.50 USDT) in 1 d.<');
  });

  test('has bars as high as the numbers beside them say', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 60 }));
    const heights = (pattern: RegExp): (readonly [number, number])[] =>
      Array.from(text.matchAll(pattern), ([, a, b]) => [Number(a), Number(b)] as const);
    const ticks = heights(/<span style="bottom:([\d.]+)%">(\d+)<\/span>/g);
    expect(ticks.length).toBeGreaterThan(2);
    const [share, top] = ticks.at(-1)!;
    expect(share).toBe(100);
    for (const [height, count] of ticks) expect(height).toBeCloseTo((100 * count) / top, 0);
    const bars = heights(/%: (\d+)"><i style="height:([\d.]+)%">/g);
    expect(bars.length).toBeGreaterThan(5);
    for (const [count, height] of bars) expect(height).toBeCloseTo((100 * count) / top, 0);
  });

  test('colours no bar as won that may hold losses', () => {
    // Nearly all lose about a tenth: the outer bins are open-ended.
    const prices = Array.from({ length: 100 }, (_, at) => 89 + at / 100);
    const fills = [80, ...prices, 99].flatMap((price) => {
      return [makeFill({ price: 100 }), makeFill({ side: 'sell', price })];
    });
    const text = page(makeRecord({ fills }));
    expect(text).toMatch(/<span class="bar muted" title="-[\d.]+ and more %/);
    expect(text).toMatch(/<span class="bar loss" title="below -/);
    expect(text).not.toContain('class="bar gain"');
  });

  test('opens the definition of a figure where its name is touched', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 60 }));
    for (const { label, definition } of METRICS) {
      const name = `>${escapeHtml(label)}</summary>\n<span>${escapeHtml(definition)}</span></details>`;
      expect(text).toContain(name);
    }
  });

  test('sums up what strategies did, and names each cell for where the table is stacked', () => {
    const parts = [{ strategy: 'quick' }, { strategy: 'slow' }];
    const fills = parts.flatMap((part) => [
      makeFill({ ...part, price: 100 }),
      makeFill({ ...part, side: 'sell', price: 103 }),
    ]);
    const text = page(makeRecord({ fills }));
    const [, foot = ''] = /<tfoot>(.*?)<\/tfoot>/s.exec(text) ?? [];
    expect(foot).toContain('>All</th>');
    expect(foot).toContain('<td data-name="Trades">2</td>');
    expect(foot).toMatch(/<td class="gain" data-name="Profit">[\d.]+<\/td>/);
    expect(text).toContain('<table class="stacks">');
  });
});

describe('the trades of a page', () => {
  test('writes prices and amounts on the scales of their markets, their points below each other', () => {
    const coarse = makeMarket({ id: 'eth_usdt', base: 'eth', priceScale: 0, amountScale: 1 });
    const fine = makeMarket({ priceScale: 2, amountScale: 4 });
    const part = { market: 'eth_usdt', price: 2000, amount: 0.5 as Amount };
    const fills = [
      ...[makeFill({ price: 100.5 }), makeFill({ side: 'sell', price: 101 })],
      ...[makeFill(part), makeFill({ ...part, side: 'sell', price: 2010 })],
    ];
    const text = page(makeRecord({ fills, markets: [fine, coarse] }));
    for (const shown of ['100.50', '101.00', '2,000\u2008\u2007\u2007', '0.5\u2007\u2007\u2007']) {
      expect(text).toContain(`<td>${shown}</td>`);
    }
  });

  test('shows no trade in a chart of a market whose prices are not known', () => {
    const fills = [makeFill({ price: 100 }), makeFill({ side: 'sell', price: 101 })];
    const column = new Float64Array(0);
    const none = { time: column, open: column, high: column, low: column, close: column };
    const text = page(makeRecord({ fills, prices: new Map([['btc_usdt', none]]) }));
    expect(text).not.toContain('<button type="button" class="quiet" aria-label');
    expect(text).not.toContain('id="price-chart"');
  });

  test('writes what is too small for the scale of its market with eight digits', () => {
    const small = { price: 1.2345678912e-10, amount: 5 as Amount };
    const fills = [makeFill(small), makeFill({ ...small, side: 'sell' })];
    expect(page(makeRecord({ fills }))).toContain('<td>0.00000000012345679</td>');
  });
});

describe('the refusals of a page', () => {
  test.each([
    [
      [
        ['collar', 180],
        ['exchange 1001', 5],
        ['exchange', 1],
      ],
      '180 wishes were refused, 6 orders rejected.',
    ],
    [
      [
        ['collar', 1],
        ['exchange 1001', 1],
      ],
      '1 wish was refused, 1 order rejected.',
    ],
    [[['exchange 1001', 1_186]], '1,186 orders were rejected.'],
    [[['exchange', 1]], '1 order was rejected.'],
    [[['collar', 2]], '2 wishes were refused.'],
  ] as const)('tells refused wishes and rejected orders apart: %j', (counts, text) => {
    const refusals = counts.map(([code, count]) => {
      return { code, count, wishes: count, ofOrders: code !== 'collar' };
    });
    expect(page(makeRecord({ refusals }))).toContain(`<p class="muted">${text}</p>`);
  });
});

describe('the page of a run, its tables,', () => {
  test('has the head of a column stand as its cells do', () => {
    const parts = [{ strategy: 'quick' }, { strategy: 'slow', market: 'eth_usdt' }];
    const fills = parts.flatMap((part) => [makeFill(part), makeFill({ ...part, side: 'sell' })]);
    const text = page(makeRecord({ fills, markets: [makeMarket(), makeMarket(ETHER)] }));
    const worded = tablesOf(text).map((rows) => rows.map((row) => row.map((at) => at === 'word')));
    expect(worded.filter((rows) => rows.flat().includes(true))).toHaveLength(2);
    for (const [heads, ...rows] of worded) for (const row of rows) expect(row).toEqual(heads);
  });

  test('shows a trade by a button beside its time, which no width of the page hides', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 60 }));
    const button = /<tr><th scope="row">[\d :-]+<\/th><td><button type="button"[^>]*data-show=/g;
    expect(text.match(button)).toHaveLength(20);
  });

  test('writes a cost of nothing as plainly as any other', () => {
    const fills = [
      makeFill({ liquidity: 'taker' }),
      makeFill({ liquidity: 'taker', side: 'sell' }),
    ];
    expect(page(makeRecord({ fills }))).toMatch(
      />Maker share of traded value<(?:(?!<td>).)*<td>0\.00 %</s,
    );
  });

  test('names the currency of trades once', () => {
    const text = page(makeRecord({ fills: [makeFill(), makeFill({ side: 'sell' })] }));
    expect(text).toContain('All closed trades, in USDT<');
    expect(text).not.toMatch(/<td[^>]*>[^<]*\d\sUSDT<\/td><td[^>]*>[^<]* %<\/td><\/tr>/);
  });

  test('has the minus of charts, terminal and CSV, which can be copied and searched for', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    expect(text).toMatch(/>-\d[\d.]* %</);
    expect(text.replaceAll(/<script.*?<\/script>/gs, '')).not.toContain('\u2212');
  });

  test('speaks of one trade as of one', () => {
    const fills = [makeFill(), makeFill({ side: 'sell' })];
    expect(page(makeRecord({ fills }))).toMatch(/>1 closed trade\s+by profit/);
  });

  test('keeps the ends of the charts in sight, and tells of tables that do not fit', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    for (const option of [
      ...['fixLeftEdge', 'fixRightEdge', 'lockVisibleTimeRangeOnResize', 'entireTextOnly'],
    ]) {
      expect(text).toContain(`${option}: true`);
    }
    expect(text).toContain("toggleAttribute('data-wide'");
    expect(text).toContain('.scroll[data-wide]');
  });
});

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A chart of which a reader moves the time: as the library, it tells its own moves too. */
class FakeChart {
  range: Range = { from: 0, to: 100 };
  readonly place: EventTarget = new EventTarget();
  readonly #hear: ((range: Range) => void)[] = [];
  readonly chart = {
    timeScale: () => ({
      fitContent: () => {},
      getVisibleRange: () => this.range,
      setVisibleRange: (range: Range) => this.#set(range),
      subscribeVisibleTimeRangeChange: (hear: (range: Range) => void) => this.#hear.push(hear),
    }),
  };

  /** The time of another chart is only as fine as its own bars. */
  #set({ from, to }: Range): void {
    this.range = { from: Math.round(from), to: Math.round(to) };
    for (const hear of this.#hear) hear(this.range);
  }

  /** As by the wheel. */
  move(range: Range): void {
    this.place.dispatchEvent(new Event('wheel'));
    this.range = range;
    for (const hear of this.#hear) hear(range);
  }
}

/** Runs what joins charts; answers with these. */
function joinedCharts(theme = 'light'): { charts: readonly FakeChart[]; flags: Set<string> } {
  const flags = new Set<string>();
  const toggleAttribute = (name: string, isOn: boolean): unknown =>
    isOn ? flags.add(name) : flags.delete(name);
  const root = { dataset: { theme }, toggleAttribute };
  const charts = [new FakeChart(), new FakeChart(), new FakeChart()];
  const parts = {
    ...{ charts, repaint: [], data: { markets: [] }, byId: () => undefined },
    window: { matchMedia: () => new EventTarget() },
    document: { documentElement: root, querySelectorAll: () => [] },
    ResizeObserver: class {
      observe(): void {}
    },
  };
  runInNewContext(PAGE, parts);
  return { charts, flags };
}

/** A place of a chart of which the visible range is logical: 0 to 100 at first. */
function handledPlace() {
  const place = Object.assign(new EventTarget(), { tabIndex: -1 });
  const shown = { range: { from: 0, to: 100 } };
  const scale = {
    getVisibleLogicalRange: () => shown.range,
    setVisibleLogicalRange: (range: Range) => {
      shown.range = { ...range };
    },
  };
  const parts = { document: {}, getComputedStyle: () => ({}), place, scale };
  runInNewContext(`${DRAWING}; handle({ timeScale: () => scale }, place);`, parts);
  const send = (type: string, more: object): Event => {
    const event = Object.assign(new Event(type, { cancelable: true }), more);
    place.dispatchEvent(event);
    return event;
  };
  return { place, shown, send };
}

const makeTimes = () => ({ timeScale: () => ({ subscribeVisibleTimeRangeChange: () => {} }) });

describe('the charts of a page', () => {
  test('show the time that the reader moves one of them to, and move it no further', () => {
    const { charts } = joinedCharts();
    const ranges = (): Range[] => charts.map(({ range }) => ({ ...range }));
    const rounded = { from: 10, to: 20 };
    charts[1]!.move({ from: 10.4, to: 20.4 });
    expect(ranges()).toEqual([rounded, { from: 10.4, to: 20.4 }, rounded]);
    charts[2]!.move({ from: 5, to: 6 });
    expect(ranges()).toEqual(Array(3).fill({ from: 5, to: 6 }));
  });

  test('are away where nothing draws them, with the buttons that do nothing then', () => {
    const text = page(makeRealisticRecord({ minutes: 2000, trades: 20 }));
    expect(text).toContain('<noscript><style>button, .drawn { display: none }</style></noscript>');
    expect(text.match(/<section class="drawn"/g)).toHaveLength(2);
  });

  test('have hollow candles where prices rose, for who does not tell green from red', () => {
    const shown = {};
    const series = { applyOptions: (options: object) => Object.assign(shown, options) };
    const context = {
      document: {},
      getComputedStyle: () => ({ getPropertyValue: (name: string) => name.slice(2) }),
      library: {},
      chart: { addSeries: () => series },
    };
    runInNewContext(`${DRAWING}; ${PRICE}; addCandles(chart)`, context);
    const hollow = { upColor: 'paper', borderUpColor: 'gain' };
    expect(shown).toMatchObject({ ...hollow, downColor: 'loss', borderDownColor: 'loss' });
  });

  test('have the focus where a trade is shown, and point at its entry', () => {
    expect(PAGE).toContain("byId('price-chart').focus({ preventScroll: true });");
    expect(PAGE).toContain('price.point(from)');
    const series = { setMarkers: () => {} };
    const context = {
      ...{ document: {}, getComputedStyle: () => ({}), chart: makeTimes(), marks: {} },
      library: { createSeriesMarkers: () => series },
      requestAnimationFrame: () => {},
      marksOf: () => [60, 120, 300].map((time) => ({ time })),
    };
    const at = (second: number) =>
      runInNewContext(
        `${DRAWING}; ${PRICE}; { const made = makeMarks(chart, {});
          made.set({ marks: { total: 3 } }); made.upTo(${second})?.time }`,
        { ...context },
      );
    expect([at(59), at(60), at(299), at(900)]).toEqual([undefined, 60, 120, 300]);
  });

  test('leave the wheel to the page but with Ctrl, which zooms', () => {
    const { send } = handledPlace();
    const isLeft = (more: object): boolean => {
      return send('wheel', { deltaX: 0, deltaY: 90, ctrlKey: false, ...more }).cancelBubble;
    };
    expect(isLeft({})).toBe(true);
    expect(isLeft({ ctrlKey: true })).toBe(false);
    expect(isLeft({ metaKey: true })).toBe(false);
    expect(isLeft({ deltaX: 120 })).toBe(false);
  });

  test('are moved and zoomed by keys, and leave all other keys to the browser', () => {
    const { place, shown, send } = handledPlace();
    expect(place.tabIndex).toBe(0);
    const press = (key: string, more = {}): boolean =>
      send('keydown', { key, ...more }).defaultPrevented;
    expect(press('+')).toBe(true);
    expect(shown.range).toEqual({ from: 25, to: 75 });
    expect(press('ArrowLeft')).toBe(true);
    expect(shown.range).toEqual({ from: 20, to: 70 });
    expect(press('-')).toBe(true);
    expect(shown.range).toEqual({ from: -5, to: 95 });
    expect([press('ArrowDown'), press('+', { ctrlKey: true })]).toEqual([false, false]);
    expect(shown.range).toEqual({ from: -5, to: 95 });
  });
});

describe('the look of a page', () => {
  test('is light on paper, where a chart is printed as it was drawn, dark too', () => {
    expect([...joinedCharts('dark').flags]).toEqual(['data-drawn-dark']);
    expect([...joinedCharts('light').flags]).toEqual([]);
    const [, paper] = STYLE.split('@media print');
    expect(paper).toContain('[data-drawn-dark] .chart > div > * { filter: invert(1)');
  });

  test('has on paper what is folded on a screen, and the sum of a table once', () => {
    const [, paper] = STYLE.split('@media print');
    expect(paper).toContain('tfoot { display: table-row-group; }');
    expect(paper).toContain('details:not(.metric)::details-content { content-visibility: visible');
  });

  test('is of what stands on it, on a screen and on paper', () => {
    const record = makeRealisticRecord({ minutes: 2000, trades: 20 });
    const refusals = [{ code: 'position', count: 2, wishes: 1 }];
    const gained = {
      market: 'btc_usdt',
      liquidity: 'maker',
      afterMs: 1,
      fills: 1,
      value: 1,
    } as const;
    // Most trades lost: zero is near the end of the axis.
    const prices = [92, 93, 94, 95, 96, 97, 98, 99, 101, 102];
    const fills = prices.flatMap((price) => [makeFill(), makeFill({ side: 'sell', price })]);
    const curve = { ...makeCurve([1000, 1000]), leftAlone: Float64Array.of(1000, 1000) };
    const lost = makeRecord({ fills, curve });
    const pages = [page({ ...record, refusals, markouts: [{ ...gained, gained: 1 }] }), page(lost)];
    const text = pages.join('').replaceAll(STYLE, '');
    const selectors = STYLE.replaceAll(/\/\*.*?\*\//g, '').match(/[^{}]+(?=\{)/g)!;
    const named = selectors.flatMap((selector) => selector.match(/(?<=[.#])[a-z][\w-]*/g) ?? []);
    const absent = named.filter((name) => !new RegExp(`["' ]${name}["' ]`).test(text));
    expect([...new Set(absent)]).toEqual([]);
    const hidden = ['button, .readout { display: none; }', '.scroll { overflow: visible;'];
    for (const rule of hidden) expect(STYLE.slice(STYLE.indexOf('@media print'))).toContain(rule);
  });
});
