import type { TradingEvent } from '../domain/index.ts';
import type { DatabaseFile } from './disk.ts';
import { kindSetOf } from './kind-set.ts';
import { isMarketData, MARKET_DATA_KINDS, timeOf } from './line.ts';
import { reviveEvent } from './revive.ts';

const MARKET_DATA = kindSetOf(MARKET_DATA_KINDS);

/** Empties the lines of market data before that time; all others keep their places. */
export function prune(file: DatabaseFile, beforeTime: number): void {
  const sql = `SELECT rowid AS id FROM chunks WHERE since < ? AND kinds & ${MARKET_DATA} <> 0`;
  const ids = Array.from(file.prepare(sql).iterate(beforeTime), ({ id }) => id as number);
  const read = file.prepare('SELECT run, body FROM chunks WHERE rowid = ?');
  const write = file.prepare('UPDATE chunks SET kinds = ?, body = ? WHERE rowid = ?');
  const mark = file.prepare('UPDATE runs SET pruned = 1 WHERE id = ?');
  for (const id of ids) {
    const [row] = [...read.iterate(id)];
    const { run, body } = row as { readonly run: number; readonly body: string };
    const kept = keptLines(body, beforeTime);
    write.run(kept.kinds, kept.body, id);
    mark.run(run);
  }
}

function keptLines(body: string, beforeTime: number): { kinds: number; body: string } {
  const kinds = new Set<TradingEvent['kind']>();
  const lines = body.split('\n').map((line) => {
    if (line === '') return '';
    const event = reviveEvent(line);
    if (isMarketData(event) && timeOf(event) < beforeTime) return '';
    kinds.add(event.kind);
    return line;
  });
  return { kinds: kindSetOf(kinds), body: lines.join('\n') };
}
