import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalTrades } from '../../../src/app/journal/index.ts';
import { DAY_MS } from '../../../src/kernel/index.ts';
import { tradesCsv } from '../../../src/report/index.ts';
import {
  EMBEDDED,
  fillOf,
  journalWith,
  openRun,
  runOf,
  scratchJournal,
} from '../../app/journal/fixture.ts';
import { recordedSession } from '../../app/replay/fixture.ts';
import { fillEvent } from '../../domain/fixture.ts';
import { START_MS } from '../../storage/events.ts';
import { changed } from '../../storage/fixture.ts';
import { line } from './fixture.ts';

/** Two trades on two days, the first of which began in the run before, and one that is open. */
function twoRuns(config?: object): string {
  const at = (days: number, rest: Parameters<typeof fillOf>[0]) =>
    fillEvent(fillOf({ time: START_MS + days * DAY_MS, fee: '0.25', ...rest }));
  const own = config && { config };
  return journalWith([
    { events: [at(0, {})], ...own },
    {
      events: [
        at(0, { side: 'sell', price: 110 }),
        at(1, { price: 61_000.5, amount: 2 }),
        at(1, { side: 'sell', price: 60_000, amount: 2 }),
        at(2, { price: 50_000, amount: 0.5 }),
      ],
      ...own,
    },
  ]);
}

const ROWS = `
closed               strategy  market    side  amount     entry    exit  held for  fees    profit        share
2024-01-01 00:00:00  maker     btc_usdt  long       1     100.0     110  00:00      0.5      +9.5  usdt  +9.50 %
2024-01-02 00:00:00  maker     btc_usdt  long       2  61,000.5  60,000  00:00      0.5  -2,001.5  usdt  -1.64 %

still open
opened               strategy  market    side  held   entry  fees so far  profit so far
2024-01-03 00:00:00  maker     btc_usdt  long  +0.5  50,000         0.25          -0.25  usdt
`;

describe('tradewind journal', () => {
  it('shows runs, in a table and as JSON', async () => {
    const path = twoRuns();
    const { code, stdout } = await line(`journal runs ${path}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^run +began +ended +orders +fills +realized +stopped +strategies +seed/,
    );
    expect(stdout).toMatch(
      /^ {2}2 {2}2024-01-01 01:00:00 {2}2024-01-01 01:00:00 +0 +4 {2}-1,992 usdt +- +- +seed2$/m,
    );
    const { json } = await line(`journal runs ${path} --json`);
    expect(json()).toMatchObject({
      journal: path,
      runs: [
        { run: 1, state: 'ended', profit: [{ currency: 'usdt', profit: '-0.25', fees: '0.25' }] },
        { run: 2, began: '2024-01-01T01:00:00.000Z', process: null, reason: null },
      ],
    });
  });

  it('shows trades, the newest last, and what is open', async () => {
    const { stdout } = await line(`journal trades ${twoRuns()}`);
    expect(`\n${stdout}`).toBe(ROWS);
  });

  it('gives programs the lines of trades.csv, or exact texts', async () => {
    const path = twoRuns();
    const { closed, open } = journalTrades({ path });
    const lines = [...tradesCsv([...closed, ...open.map(({ trip }) => trip)])].join('');
    expect((await line(`journal trades ${path} --csv`)).stdout).toBe(lines);
    const { json } = await line(`journal trades ${path} --run 2 --from 2024-01-02 --json`);
    expect(json()).toMatchObject({
      closed: [{ closeTime: '2024-01-02T00:00:00.000Z', profit: '-2001.5', fills: 2 }],
      open: [{ closeTime: null, exitPrice: null, run: 2, held: '0.5', isGone: false }],
    });
    expect((await line(`journal trades ${path} --csv --json`)).code).toBe(2);
  });

  it('gives programs runs and days as lines too', async () => {
    const path = twoRuns();
    const days = await line(`journal days ${path} --csv`);
    expect(days.stdout.split('\r\n')).toEqual([
      'day,currency,trades,fees,profit,sum',
      '2024-01-01,usdt,1,0.5,9.5,9.5',
      '2024-01-02,usdt,1,0.5,-2001.5,-1992',
      '',
    ]);
    const [heads, , second] = (await line(`journal runs ${path} --csv`)).stdout.split('\r\n');
    expect(heads).toBe(
      'run,began,ended,lastEvent,state,process,seed,orders,fills,reason,strategies,currency,profit,fees',
    );
    expect(second).toBe(
      '2,2024-01-01T01:00:00.000Z,2024-01-01T01:00:00.000Z,2024-01-03T00:00:00.000Z,ended,,seed2,' +
        '0,4,,,usdt,-1992,1',
    );
  });
});

describe('tradewind journal runs', () => {
  it('says until when a killed run is on record', async () => {
    const path = scratchJournal();
    const run = openRun(path, 1, runOf(['buy', 100, 1]));
    onTestFinished(() => run.close());
    writeFileSync(`${path}.owner`, String(2 ** 22 + 1));
    const { stdout } = await line(`journal runs ${path}`);
    expect(stdout).toMatch(
      /2024-01-01 00:00:00 {2}until 2024-01-01 00:00:00, killed +0 +1 {2}0 usdt +- +- +seed1$/m,
    );
  });

  it('says of one that was killed before anything happened no more than that', async () => {
    const path = scratchJournal();
    const run = openRun(path, 1, { events: [] });
    onTestFinished(() => run.close());
    writeFileSync(`${path}.owner`, String(2 ** 22 + 1));
    const { stdout } = await line(`journal runs ${path}`);
    expect(stdout).toMatch(/2024-01-01 00:00:00 {2}killed {2}/);
  });
});

describe('tradewind journal days', () => {
  it('adds up days, and says what is in none yet', async () => {
    const path = twoRuns();
    const { stdout } = await line(`journal days ${path}`);
    expect(stdout).toContain('2024-01-02       1   0.5  -2,001.5  -1,992.0  usdt\n');
    expect(stdout).toContain('still open: 1 trade, -0.25 usdt so far, in no day yet\n');
    const { json } = await line(`journal days ${path} --json`);
    expect(json()).toEqual({
      journal: path,
      days: [
        day('2024-01-01', { profit: '9.5', sum: '9.5' }),
        day('2024-01-02', { profit: '-2001.5', sum: '-1992' }),
      ],
      open: [{ currency: 'usdt', trades: 1, profit: '-0.25', fees: '0.25' }],
      gone: 0,
    });
  });
});

describe('tradewind journal, of what is gone or never was', () => {
  it('leaves out of sight what went with an embedded exchange, but for its count', async () => {
    const path = twoRuns(EMBEDDED);
    const { stdout } = await line(`journal trades ${path}`);
    expect(stdout).toMatch(/still open\n.+\n\(none\)\n\d more stayed open on an exchange/);
    expect((await line(`journal trades ${path} --run 1`)).stdout).toMatch(/\+1 +100 +0\.25/);
  });

  it('has no trade that went with an embedded exchange close on a day to come', async () => {
    const path = twoRuns(EMBEDDED);
    const { stdout } = await line(`journal days ${path}`);
    expect(stdout).not.toContain('still open');
    expect(stdout).toMatch(/^2 trades stayed open on an exchange that ended with its run/m);
    expect((await line(`journal days ${path} --json`)).json()).toMatchObject({ open: [], gone: 2 });
    const first = await line(`journal days ${path} --run 1`);
    expect(first.stdout).toContain('still open: 1 trade, -0.25 usdt so far, in no day yet\n');
    expect(first.stdout).not.toContain('exchange');
  });

  it('refuses a strategy that the journal does not know, as any mistyped flag', async () => {
    const path = twoRuns();
    expect(await line(`journal days ${path} --strategy other`)).toMatchObject({
      code: 2,
      stderr: `Cannot look for "other" in ${path}: it knows maker, that name is wanted`,
    });
  });

  it('refuses a file that is not there, and a run that is not in it, with the code of journals', async () => {
    expect(await line('journal runs none.journal')).toMatchObject({
      code: 7,
      stderr: 'Cannot read none.journal: there is no such file',
    });
    const path = twoRuns();
    expect(await line(`journal days ${path} --run 3`)).toMatchObject({
      code: 7,
      stderr: `Cannot read run 3 of ${path}: it has runs 1 to 2`,
    });
  });
});

const day = (name: string, money: { profit: string; sum: string }) => {
  return { day: name, currency: 'usdt', trades: 1, fees: '0.5', ...money };
};

describe('commands that read a journal', () => {
  it('leave nothing beside it', async () => {
    const { path } = await recordedSession({ durationMs: 5_000 });
    const before = readdirSync(dirname(path));
    for (const words of ['journal runs', 'journal trades', 'journal days', 'replay']) {
      expect((await line(`${words} ${path}`)).code).toBe(0);
    }
    expect((await line(`compare ${path} ${path}`)).code).toBe(0);
    expect((await line(`replay ${path} --run 2`)).code).toBe(7);
    expect(readdirSync(dirname(path))).toEqual(before);
  });
});

describe('tradewind journal check', () => {
  it('says that all events are as they were written', async () => {
    const { code, stdout } = await line(`journal check ${twoRuns()}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ {2}1 {2}2024-01-01 00:00:00 {7}1 {2}as written\n.* 4 {2}as written$/m,
    );
  });

  it('ends with code 12 where one is another, and names it', async () => {
    const path = twoRuns();
    changed(path, `UPDATE chunks SET body = replace(body, '61000.5', '61000.6') WHERE run = 2`);
    const { code, stdout } = await line(`journal check ${path}`);
    expect(code).toBe(12);
    expect(stdout).toMatch(/^ {2}1 .* as written\n {2}2 .* not as written: event 1 or one soon/m);
    const { json } = await line(`journal check ${path} --json`);
    const began = '2024-01-01T01:00:00.000Z';
    expect(json()).toMatchObject({
      journal: path,
      runs: [{ brokenAt: null }, { run: 2, began, intact: false, pruned: false, brokenAt: 1 }],
    });
  });

  it('misses a run that is gone', async () => {
    const path = twoRuns();
    changed(path, 'DELETE FROM runs WHERE id = 1; DELETE FROM chunks WHERE run = 1');
    const { code, stdout } = await line(`journal check ${path}`);
    expect(code).toBe(12);
    expect(stdout).toMatch(/^ {2}1 {2}- +0 {2}missing, run 2 follows\n {2}2 .* as written$/m);
    const { json } = await line(`journal check ${path} --json`);
    expect(json()).toMatchObject({
      runs: [{ run: 1, began: null, events: 0, intact: false, brokenAt: 1 }, { run: 2 }],
    });
  });
});
