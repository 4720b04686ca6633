import { type ChainState, Chains, runHash } from './chain.ts';
import type { Row } from './disk.ts';
import { isMarketLine } from './text/line.ts';

/** Whether the lines of a run are those that were written. */
export interface Verification {
  readonly intact: boolean;
  /** Lines that are there. */
  readonly events: number;
  /** The first line of the first chunk that does not fit, where one does not. */
  readonly brokenAt?: number;
}

/** What the table of runs says of one. */
export interface RunEnd {
  /** 1 once market data was taken out of it: only its other lines can be checked then. */
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

/** Works the chains of a run out anew and compares. */
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
