import { existsSync } from 'node:fs';
import type { Fill, JournalMemory, TradingState } from '../domain/index.ts';
import { type JournalReader, openJournalReader } from '../storage/index.ts';

/** What the earlier runs of a deployment left in its journal. */
export interface Recollection extends JournalMemory {
  /** All fills, oldest first: what the deployment holds. */
  readonly fills: readonly Fill[];
  /** The trading state that a person has not reset yet. */
  readonly trading: { readonly state: TradingState; readonly reason: string };
  /** When a person last reset the trading state; left out where nobody did. */
  readonly resetTime?: number;
}

/** Reads what earlier runs left; undefined where there is no journal. */
export function recall(path: string, nowMs: number): Recollection | undefined {
  if (!existsSync(path)) return undefined;
  const reader = openJournalReader(path);
  try {
    return recollect(reader, nowMs);
  } finally {
    reader.close();
  }
}

/** What a journal says that earlier runs left. */
export function recollect(reader: JournalReader, nowMs: number): Recollection {
  const fills: Fill[] = [];
  let trading: Recollection['trading'] = { state: 'ACTIVE', reason: 'never changed' };
  let resetTime: number | undefined;
  for (const { id: run } of reader.runs()) {
    for (const { event } of reader.events({ run, kinds: ['fill', 'tradingState'] })) {
      if (event.kind === 'fill') fills.push(event.fill);
      else if (event.kind === 'tradingState') {
        trading = event;
        // Only a person's reset leads back to ACTIVE.
        if (event.state === 'ACTIVE') resetTime = event.time;
      }
    }
  }
  const { state, reason } = trading;
  const reset = resetTime === undefined ? {} : { resetTime };
  return { ...reader.memory(nowMs), fills, trading: { state, reason }, ...reset };
}
