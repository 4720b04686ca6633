import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun } from '../../../src/app/backtest/index.ts';
import { compareRuns, type RunComparison } from '../../../src/app/compare/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { byNobody } from '../../nobody.ts';
import { copyJournal } from '../../storage/fixture.ts';
import { checkedDeployment } from '../backtest/checks-fixture.ts';
import { LIMITS } from '../backtest/fixture.ts';
import { scratchFile, scratchFolder } from '../fixture.ts';
import { recordedSession } from '../replay/fixture.ts';

/** The folder of a backtest with these settings. */
async function backtested(overrides: Record<string, unknown> = {}): Promise<string> {
  const { backtest } = overrides;
  const settings = { ...overrides, backtest: { report: { html: false }, ...(backtest as object) } };
  const out = join(scratchFolder(), 'run');
  await finishRun({ deployment: checkedDeployment(settings), out });
  return out;
}

/** A strategy in a file of its own, which buys and sells after so many minutes in turn. */
function dipBuyer(minutes: number) {
  const text = `import { defineStrategy, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'dip-buyer',
  params: z.strictObject({}),
  run: ({ market, candles }) => candles('1min').pipe(
    map(({ openTime }) => target(market, (openTime / 60_000) % ${minutes} < 3 ? 0.001 : 0)),
  ),
});
`;
  return { use: scratchFile('dip.ts', text), params: {} };
}

/** A strategy that throws at its tenth candle. */
function dyingStrategy() {
  const text = `import { defineStrategy, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'dying',
  params: z.strictObject({}),
  run: ({ market, candles }) => candles('1min').pipe(
    map((_candle, at) => {
      if (at === 9) throw new Error('boom');
      return target(market, 0.001);
    }),
  ),
});
`;
  return { use: scratchFile('dying.ts', text), params: {} };
}

function sumOf({ attribution }: RunComparison): { sum: Decimal; difference: Decimal } {
  const [{ lines, difference }] = attribution as [RunComparison['attribution'][0]];
  return { sum: lines.reduce((all, { amount }) => all.plus(amount), Decimal.ZERO), difference };
}

const causesOf = ({ attribution }: RunComparison): string[] =>
  attribution[0]!.lines.map(({ cause }) => cause);

describe('compareRuns', () => {
  it('finds nothing between a backtest and its repetition', async () => {
    const [a, b] = [await backtested(), await backtested()];
    const found = compareRuns({ a, b });
    expect(found).toMatchObject({ settings: [], data: [], decisions: { different: 0 } });
    expect(found.decisions.same).toBeGreaterThan(20);
    expect(found.metrics?.isSame).toBe(true);
    expect(found.attribution[0]!.difference.sign).toBe(0);
  });

  it('takes decisions for the same in whichever order two markets were decided on', async () => {
    const wish = (market: string, time: number): string => {
      const intent = { kind: 'cancel', market, tag: 'a' };
      return `${JSON.stringify({ kind: 'intent', time, market, strategy: 'a', intent })}\n`;
    };
    const runs = await Promise.all([backtested(), backtested()]);
    for (const [at, run] of runs.entries()) {
      const lines = [wish('btc_usdt', 10 - at), wish('eth_usdt', 9 + at)];
      appendFileSync(join(run, 'journal.jsonl'), (at === 0 ? lines.reverse() : lines).join(''));
    }
    expect(compareRuns({ a: runs[0], b: runs[1] }).decisions.different).toBe(0);
  });

  it('tells when and why a strategy failed, and that trading was stopped', async () => {
    const [dead, stopped] = [
      await backtested({ strategies: [dyingStrategy()] }),
      await backtested({ risk: { ...LIMITS, drawdownMax: 0.01 } }),
    ];
    const { a, b } = compareRuns({ a: dead, b: stopped });
    const at = expect.any(Number);
    expect(a.ended).toEqual([
      { strategy: 'dying', status: 'failed', at, reason: expect.stringContaining('boom') },
    ]);
    expect([a.trading, b.ended]).toEqual([undefined, []]);
    expect(b.trading).toEqual({
      ...{ state: 'REDUCING', at, reason: expect.stringContaining('drawdown of') },
    });
  });

  it('puts a difference of fills alone down to price and fees', async () => {
    const slippage = { basisPoints: 5 };
    const [a, b] = [
      await backtested(),
      await backtested({ backtest: { fill: { model: 'candles', slippage } } }),
    ];
    const found = compareRuns({ a, b });
    expect(found.settings!.map(({ path }) => path)).toContain('backtest.fill.slippage.basisPoints');
    expect(found.decisions.different).toBe(0);
    const { sum, difference } = sumOf(found);
    expect(difference.sign).toBe(-1);
    expect(sum.equals(difference)).toBe(true);
    expect(causesOf(found)).toContain('price');
    expect(causesOf(found)).not.toContain('onlyA');
  });

  it('shows the first decision that another parameter makes otherwise', async () => {
    const params = { amount: 0.01, interval: '5min', fast: 4, slow: 8 };
    const [a, b] = [
      await backtested(),
      await backtested({ strategies: [{ use: 'ema-cross', params }] }),
    ];
    const found = compareRuns({ a, b });
    expect(found.settings).toEqual([{ path: 'strategies.ema-cross.params.fast', a: 3, b: 4 }]);
    expect(found.decisions.different).toBeGreaterThan(3);
    expect(found.decisions.first?.strategy).toBe('ema-cross');
    const { sum, difference } = sumOf(found);
    expect(sum.equals(difference)).toBe(true);
    expect(causesOf(found)).toContain('onlyA');
  });

  it('says that data differ', async () => {
    const generate = { btc_usdt: { startPrice: 30_000, tradesPerMinute: 20, seed: 'other' } };
    const [a, b] = [await backtested(), await backtested({ backtest: { generate } })];
    expect(compareRuns({ a, b }).data).toMatchObject([
      { name: expect.stringContaining('btc_usdt') },
    ]);
  });
});

describe('compareRuns, of other rates of fees alone,', () => {
  it('puts it down to fees, whatever coins they left', async () => {
    const risk = { ...LIMITS, dailyLossMax: 1e6, drawdownMax: 1e6 };
    const settings = { strategies: [dipBuyer(7)], risk };
    const [a, b] = [
      await backtested({ ...settings, backtest: { fees: { taker: 0.01 } } }),
      await backtested({ ...settings, backtest: { fees: { taker: 0.004 } } }),
    ];
    const found = compareRuns({ a, b });
    expect(found.a.fills).toBe(found.b.fills);
    expect(causesOf(found)).toEqual(['price', 'fees']);
    const [price, fees] = found.attribution[0]!.lines;
    expect(price!.amount.sign).toBe(0);
    expect(fees!.amount.equals(found.attribution[0]!.difference)).toBe(true);
  });
});

describe('compareRuns, of what was refused,', () => {
  it('counts refused wishes as the reports of both runs do', async () => {
    const [a, b] = [
      await backtested({ risk: { ...LIMITS, orderAmountMax: 0.0001 } }),
      await backtested(),
    ];
    const told: unknown = JSON.parse(readFileSync(join(a, 'metrics.json'), 'utf8')).refusedWishes;
    const { refusals } = compareRuns({ a, b });
    expect(Object.fromEntries(refusals.map(({ code, ...both }) => [code, both.a]))).toEqual(told);
    expect(refusals).toEqual([{ code: 'aboveMaximum', a: expect.any(Number), b: 0 }]);
    expect(refusals[0]!.a).toBeGreaterThan(10);
  });
});

describe('compareRuns, of other sources,', () => {
  it('calls a strategy as its report does, and knows it by another path', async () => {
    const one = await backtested({ strategies: [dipBuyer(100)] });
    const [other, slower] = [dipBuyer(100), dipBuyer(50)];
    const same = compareRuns({ a: one, b: await backtested({ strategies: [other] }) });
    expect(same.settings).toMatchObject([{ path: 'strategies.dip-buyer.use', b: other.use }]);
    expect(same.decisions).toMatchObject({ different: 0, first: undefined });
    expect(same.decisions.same).toBeGreaterThan(3);
    expect(same.orders).toMatchObject({ onlyA: 0, onlyB: 0 });
    const changed = compareRuns({ a: one, b: await backtested({ strategies: [slower] }) });
    expect(changed.decisions.first?.strategy).toBe('dip-buyer');
    expect(changed.decisions.different).toBeGreaterThan(0);
  });

  it('calls a strategy of two journals as a report does', async () => {
    const recorded = async (strategy: object) => {
      const settings = { strategies: [strategy] };
      return (await recordedSession({ settings, durationMs: 130_000 })).path;
    };
    const [one, other] = [dipBuyer(5), dipBuyer(5)];
    const [a, b] = [await recorded(one), await recorded(other)];
    const { settings, decisions } = compareRuns({ a, b });
    expect(settings).toMatchObject([{ path: 'strategies.dip-buyer.use', b: other.use }]);
    expect(decisions).toMatchObject({ same: expect.any(Number), different: 0 });
    const named = compareRuns({ a, b: await recorded({ ...one, name: 'mine' }) });
    const paths = named.settings!.map(({ path }) => path);
    expect(paths).toEqual(['strategies.dip-buyer', 'strategies.mine']);
  });

  it('compares two runs of one journal', async () => {
    const { path } = await recordedSession({ runs: 2, durationMs: 60_000 });
    const found = compareRuns({ a: path, b: path, runA: 1, runB: 2 });
    expect(found.a.title).toBe(`${path}, run 1`);
    expect(found.settings).toEqual([]);
    expect(found.a.fills).toBeGreaterThan(0);
    const { sum, difference } = sumOf(found);
    expect(sum.equals(difference)).toBe(true);
  });

  it('takes no profit of a report for that of the fills in one of several currencies', async () => {
    const markets = ['btc_usdt', 'eth_btc'];
    const generate = {
      btc_usdt: { startPrice: 30_000 },
      eth_btc: { startPrice: 0.06, priceScale: 6 },
    };
    const strategies = [{ ...dipBuyer(10), markets: ['btc_usdt'] }];
    const run = await backtested({ markets, strategies, backtest: { generate } });
    const [attribution, ...others] = compareRuns({ a: run, b: run }).attribution;
    expect([attribution!.quote, attribution!.isOfReports, others]).toEqual(['usdt', false, []]);
  });

  it('values what a killed run held at its own last price', async () => {
    let killed = '';
    const onEnd = (path: string) => {
      killed = copyJournal(path);
    };
    await recordedSession({ durationMs: 60_000, onEnd });
    const other = await backtested();
    const profitsOf = (a: string, b: string) => compareRuns({ a, b }).attribution[0]!.profit;
    const own = profitsOf(killed, killed).a.toString();
    expect(compareRuns({ a: killed, b: killed }).a.fills).toBeGreaterThan(0);
    expect(profitsOf(other, killed).b.toString()).toBe(own);
    expect(profitsOf(killed, other).a.toString()).toBe(own);
    const isOfReports = (a: string, b: string) => compareRuns({ a, b }).attribution[0]!.isOfReports;
    expect([isOfReports(other, killed), isOfReports(other, other)]).toEqual([false, true]);
  });
});

describe('compareRuns, of what cannot be read,', () => {
  it('names the file of a run that is damaged', async () => {
    const run = await backtested();
    const refused = (name: string, text: string) => {
      const file = join(run, name);
      const intact = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        text.replace('INTACT', () => intact),
      );
      const compare = () => compareRuns({ a: run, b: run });
      expect(compare).toThrow(`Cannot compare ${file}: `);
      expect(compare).toThrow(expect.objectContaining({ exitCode: 7 }));
      writeFileSync(file, intact);
    };
    refused('metrics.json', '{');
    refused('metrics.json', '{ "format": 1 }');
    refused('config.yaml', 'name: [');
    refused('journal.jsonl', 'INTACT{"kind":"fil');
  });

  it('names line and field of an event whose fields are of wrong types', async () => {
    const run = await backtested();
    const file = join(run, 'journal.jsonl');
    const intact = readFileSync(file, 'utf8');
    const line = intact.split('\n').length;
    const refused = (event: string, what: string) => {
      writeFileSync(file, `${intact}${event}\n`);
      const wanted = `Cannot compare ${file}: line ${line} ${what}, an intact journal is wanted`;
      const compare = () => compareRuns({ a: run, b: run });
      expect(compare).toThrow(wanted);
      expect(compare).toThrow(expect.objectContaining({ exitCode: 7 }));
    };
    refused('5', 'is no event');
    const none = 'is no event: its refusal is 5, not an object';
    refused('{"kind":"refusal","time":1,"refusal":5}', none);
    refused('{"kind":"refusal","time":1,"refusal":{}}', 'is damaged at refusal.code');
    const wish = '{"kind":"target","market":"btc_usdt","position":"1","slippage":0}';
    refused(
      `{"kind":"intent","time":1,"market":"btc_usdt","strategy":"a","intent":${wish}}`,
      'is damaged at intent',
    );
    const money = '"amount":1,"price":1,"value":"1","fee":"0"';
    const fill = `"market":"btc_usdt","side":"buy","clientOrderId":"1",${money},"time":1`;
    refused(
      `{"kind":"fill","time":1,"fill":{"strategy":5,${fill}}}`,
      'is damaged at fill.strategy',
    );
  });

  it('refuses what is no run', () => {
    const folder = scratchFolder();
    const refused = (path: string) => () => compareRuns({ a: path, b: path });
    expect(refused(join(folder, 'none'))).toThrow('there is no such folder or file');
    expect(refused(folder)).toThrow('it has no journal.jsonl');
    expect(() => compareRuns({ a: folder, b: folder, runB: 2 })).toThrow('it has no journal.jsonl');
    expect(() => compareRuns({ a: folder, b: folder, runA: 2 })).toThrow(
      `Cannot compare run 2 of ${folder}: it is a folder, which holds one run, a journal is wanted`,
    );
    mkdirSync(join(folder, 'run'));
    writeFileSync(join(folder, 'run', 'journal.jsonl'), '{"kind":"run"}\n');
    expect(refused(join(folder, 'run'))).toThrow('does not name the inputs');
  });
});

it('compareRuns says of what this user may not read that it is closed, not missing', () => {
  const folder = scratchFolder();
  const run = join(folder, 'run');
  mkdirSync(run);
  writeFileSync(join(run, 'journal.jsonl'), '{}');
  const refused = (path: string) =>
    byNobody(
      `import { compareRuns } from ${JSON.stringify(new URL('../../../src/app/compare/index.ts', import.meta.url).href)};
      try {
        compareRuns({ a: process.argv[1], b: '' });
      } catch ({ message }) {
        console.log(message);
      }`,
      path,
    ).stdout;
  const closed = (path: string): string => {
    chmodSync(path, 0);
    const told = refused(run);
    chmodSync(path, 0o755);
    return told;
  };
  chmodSync(folder, 0o755);
  for (const path of [folder, run, join(run, 'journal.jsonl')]) {
    const what = `you may not use ${path}, permission to read it is wanted`;
    expect(closed(path)).toBe(`Cannot compare ${run}: ${what}\n`);
  }
});
