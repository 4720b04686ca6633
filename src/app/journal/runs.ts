import { type Decimal, getOrInsert } from '../../kernel/index.ts';
import { type JournalReader, type RunRecord, writerOf } from '../../storage/index.ts';
import { Accounts, addTo, type Sums } from './accounts.ts';
import { booksOf, type OpenJournal, withJournal } from './books.ts';
import { JournalFills } from './fills.ts';

/** One run of a journal, as a person wants to see it. */
export interface JournalRun {
  /** Its number, from 1. */
  readonly run: number;
  /** Milliseconds since the epoch. `ended` is undefined while it runs, and of a killed one. */
  readonly began: number;
  readonly ended: number | undefined;
  /** `byHand`: no deployment ran, a person wrote into the journal. */
  readonly state: 'ended' | 'running' | 'killed' | 'byHand';
  /** When its last event happened, however it ended; undefined where it has none. */
  readonly lastEvent: number | undefined;
  /** The process that writes it now, of this machine. */
  readonly process: number | undefined;
  /** Undefined where it is not on record. */
  readonly seed: string | undefined;
  /** The strategies that were started, in that order. */
  readonly strategies: readonly string[];
  /** Orders that left, and fills. */
  readonly orders: number;
  readonly fills: number;
  /**
   * What its fills earned, by quote currency: realized by average cost, net of their fees, without
   * open positions. Exact.
   */
  readonly profit: readonly { currency: string; profit: Decimal; fees: Decimal }[];
  /** Why it stopped; undefined if it has not, or could not say so. */
  readonly reason: string | undefined;
}

/** What the events of a run, other than fills, tell about it. */
type Told = Pick<JournalRun, 'strategies' | 'orders' | 'reason'>;

/**
 * The runs of a journal, the oldest first.
 *
 * @throws {AppError} `journal` where there is none, or it has no run.
 */
export function journalRuns(path: string): readonly JournalRun[] {
  return withJournal({ path }, (journal) => {
    const earned = earnedIn(journal);
    const process = writerOf(path);
    return journal.runs.map((record) => {
      const { id, started, ended, isByHand } = record;
      const { fills, sums } = earned.get(id) ?? { fills: 0, sums: new Map() as Sums };
      const isNewest = record === journal.runs.at(-1);
      const state = stateOf(record, isNewest && process !== undefined);
      return {
        ...{ run: id, began: started, ended, state },
        lastEvent: journal.reader.tail(id, 0)?.lastTime,
        process: state === 'running' ? process : undefined,
        seed: isByHand ? undefined : journal.reader.basis(id)?.seed,
        ...toldIn(journal, record),
        fills,
        profit: Array.from(sums, ([currency, sum]) => ({ currency, ...sum })),
      };
    });
  });
}

function stateOf({ ended, isByHand }: RunRecord, isWritten: boolean): JournalRun['state'] {
  if (isByHand) return 'byHand';
  if (ended !== undefined) return 'ended';
  return isWritten ? 'running' : 'killed';
}

function earnedIn(journal: OpenJournal): Map<number, { fills: number; sums: Sums }> {
  const ofRun = new Map<number, { fills: number; sums: Sums }>();
  for (const { runs } of booksOf(journal)) {
    const accounts = new Accounts(journal);
    for (const fill of new JournalFills(journal, runs)) {
      const earned = getOrInsert(ofRun, fill.run, () => ({ fills: 0, sums: new Map() }));
      if (fill.adjustment === undefined) earned.fills++;
      addTo(earned.sums, accounts.add(fill));
    }
  }
  return ofRun;
}

/** What a person did in a run by hand; undefined where it was killed first. */
function wordIn(reader: JournalReader, run: number): string | undefined {
  const [kind] = Array.from(reader.events({ run }), ({ event }) => event.kind).slice(-1);
  if (kind === undefined) return undefined;
  return kind === 'adjustment' ? 'a person set a position' : 'a person settled an order';
}

function toldIn({ reader }: OpenJournal, { id: run, ended, isByHand }: RunRecord): Told {
  if (isByHand) return { strategies: [], orders: 0, reason: wordIn(reader, run) };
  const strategies = new Set<string>();
  let orders = 0;
  let reason: string | undefined;
  let isStarting = false;
  // Of an order's many states only the first is parsed.
  for (const { event } of reader.events({ run, kinds: ['order'], texts: ['pending'] })) {
    if (event.kind === 'order' && event.order.status === 'pending') orders++;
  }
  for (const { event } of reader.events({ run, kinds: ['strategy', 'run'] })) {
    if (event.kind === 'strategy' && event.status === 'started') strategies.add(event.strategy);
    if (event.kind !== 'run') continue;
    // The last event, `stopped`, tells what became of the orders.
    if (event.status === 'stopping') reason = event.reason;
    isStarting = event.status === 'starting';
  }
  if (isStarting && ended !== undefined) reason = 'its start failed';
  return { strategies: [...strategies], orders, reason };
}
