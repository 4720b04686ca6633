/**
 * Raw messages a second: recorded depth and trades rebuilt to a book, from the gzip on, each file in
 * a process of its own that has not warmed up.
 *
 * Every message counts, best prices (which the book tells, and which are passed over) too, and every
 * change is applied. The same process then parses the same lines with `JSON.parse`, so that the ratio
 * can be compared between machines, and compares best bid and ask with those that the exchange sent.
 *
 * Run: node bench/raw-depth.ts [file...]
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarketRecord } from '../src/domain/index.ts';
import { plainBytes } from '../src/history/bytes.ts';
import { BestPrices } from '../src/history/check/best-prices.ts';
import { type Line, linesOf } from '../src/history/lines.ts';
import { type BookTicker, RawReader, readRawMessage } from '../src/history/raw.ts';

const DATA = new URL('../../shared/data/books/', import.meta.url);
const FILES = ['binance-spot/btcusdt_20240808.gz', 'binance-usdm/btcusdt_20240808.gz'];
/** Set in the process that measures one file. */
const MEASURED = process.env.TRADEWIND_BENCH_FILE;

if (MEASURED === undefined) compareFiles();
else await measure(MEASURED);

function compareFiles(): void {
  const given = process.argv.slice(2);
  const known = FILES.map((file) => fileURLToPath(new URL(file, DATA)));
  const files = given.length > 0 ? given : known.filter((file) => existsSync(file));
  if (files.length === 0) console.log('no recordings here: name some');
  for (const file of files) {
    const env = { ...process.env, TRADEWIND_BENCH_FILE: file };
    execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { env, stdio: 'inherit' });
  }
}

async function measure(file: string): Promise<void> {
  const rebuilt = await timed(() => rebuild(file));
  const parsed = await timed(() => parse(file));
  const { compared, equal } = await verify(file);
  const perSecond = Math.round(rebuilt.value.messages / (rebuilt.ms / 1_000));
  const { messages, changes, gaps } = rebuilt.value;
  console.log(
    [
      `${basename(file)} (${file.includes('usdm') ? 'futures' : 'spot'}), cold:`,
      `  ${perSecond.toLocaleString('en-US')} messages a second (${messages} in ${rebuilt.ms.toFixed(0)} ms)`,
      `  ${(rebuilt.ms / parsed.ms).toFixed(2)} x the time of JSON.parse of the same lines`,
      `  ${changes.toLocaleString('en-US')} levels applied, ${gaps} gaps`,
      `  best bid and ask equal to the exchange's own: ${equal} of ${compared}`,
    ].join('\n'),
  );
  if (equal !== compared) process.exitCode = 1;
}

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number }> {
  const beganMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - beganMs };
}

function linesIn(file: string): AsyncIterable<readonly Line[]> {
  return linesOf(plainBytes(createReadStream(file)));
}

async function rebuild(file: string) {
  const reader = new RawReader();
  const book = new BestPrices();
  const counts = { messages: 0, changes: 0, gaps: 0 };
  for await (const lines of linesIn(file)) {
    counts.messages += lines.length;
    for (const line of lines) {
      for (const record of reader.read(line)) {
        counts.changes += apply(record, book);
        if (record.kind === 'gap') counts.gaps++;
      }
    }
  }
  return counts;
}

/** Applies a record; answers with how many levels it has. */
function apply(record: MarketRecord, book: BestPrices): number {
  if (record.kind === 'levels') {
    for (const [side, price, amount] of record.changes) {
      book.set(side === 'buy' ? 1 : -1, price, amount);
    }
    return record.changes.length;
  }
  if (record.kind !== 'book') return 0;
  book.clear();
  for (const [price, amount] of record.bids) book.set(1, price, amount);
  for (const [price, amount] of record.asks) book.set(-1, price, amount);
  return record.bids.length + record.asks.length;
}

async function parse(file: string): Promise<number> {
  let objects = 0;
  for await (const lines of linesIn(file)) {
    for (const { text } of lines) {
      if (JSON.parse(text.slice(text.indexOf(' ') + 1)) !== null) objects++;
    }
  }
  return objects;
}

/** Whether the book is the exchange's, at each update whose best prices the exchange sent too. */
async function verify(file: string) {
  const tickers = new Map<number, BookTicker>();
  for await (const lines of linesIn(file)) {
    for (const { text } of lines) {
      const message = readRawMessage(text);
      if (message.kind === 'bookTicker') tickers.set(message.updateId, message);
    }
  }
  const reader = new RawReader();
  const book = new BestPrices();
  const counts = { compared: 0, equal: 0 };
  for await (const lines of linesIn(file)) {
    for (const line of lines) {
      for (const record of reader.read(line)) {
        apply(record, book);
        if (record.kind !== 'levels') continue;
        const [, updateId] = /"u":(\d+)/.exec(line.text) ?? [];
        const ticker = tickers.get(Number(updateId));
        if (ticker === undefined) continue;
        counts.compared++;
        if (agrees(book, ticker)) counts.equal++;
      }
    }
  }
  return counts;
}

function agrees(book: BestPrices, { bid, ask }: BookTicker): boolean {
  const isBid = book.bid === bid[0] && book.amountAt(1, bid[0]) === bid[1];
  return isBid && book.ask === ask[0] && book.amountAt(-1, ask[0]) === ask[1];
}
