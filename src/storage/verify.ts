import { type ChainState, Chains, runHash } from './chain.ts';
import type { Row } from './disk.ts';
import { isMarketLine } from './text/line.ts';

/** Whether a run's lines are unchanged since they were written. */
export interface Verification {
  readonly intact: boolean;
  /** How many lines there are, without pruned ones. */
  readonly events: number;
  /** The place of the first line of the first chunk that does not fit, if any. */
  readonly brokenAt?: number;
}

/** What the table of runs says about the end of one. */
export interface RunEnd {
  /** 1 once its market data was dropped: then only its other lines can be checked. */
  readonly pruned: number;
  readonly ended: number | null;
  readonly events: number | null;
  readonly hash: string | null;
}

interface ChunkRow {
  readonly first: number;
  readonly body: string;
  readonly marketDataHash: string;
  readonly othersHash: string;
}

/** Computes the hash chains of a run again and compares them. */
export function verifyRun(run: RunEnd, rows: Iterable<Row>): Verification {
  const isPruned = run.pruned === 1;
  const chains = new Chains();
  let told: ChainState = chains.state;
  let next = 1;
  let events = 0;
  for (const row of rows) {
    const { first, body, marketDataHash, othersHash } = row as unknown as ChunkRow;
    if (first !== next) return { intact: false, events, brokenAt: next };
    for (const line of body.split('\n')) {
      if (line !== '') events++;
      if (line !== '' || !isPruned) chains.add(next, { line, isMarketData: isMarketLine(line) });
      next++;
    }
    told = { marketData: marketDataHash, others: othersHash };
    if (!fits(chains.state, told, isPruned)) return { intact: false, events, brokenAt: first };
  }
  const isWhole = run.ended === null || (next - 1 === run.events && runHash(told) === run.hash);
  return isWhole ? { intact: true, events } : { intact: false, events, brokenAt: next };
}

function fits(found: ChainState, told: ChainState, isPruned: boolean): boolean {
  return found.others === told.others && (isPruned || found.marketData === told.marketData);
}
