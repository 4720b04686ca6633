import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../../src/app/config/deployment.ts';
import {
  openRecordedRun,
  replayable,
  takeUpEarlierRuns,
} from '../../../src/app/replay/recorded-run.ts';
import { ReplayLedger } from '../../../src/app/replay/replay-ledger.ts';
import { setPosition } from '../../../src/app/terminal/set-position.ts';
import type { LiveOrder, TradingEvent } from '../../../src/domain/index.ts';
import { Decimal, VirtualClock } from '../../../src/kernel/index.ts';
import { FileJournal, type RunBasis } from '../../../src/storage/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import {
  cancelledOrderOf,
  filledEvents,
  lateFeeEvent,
  orderEvent,
  orderOf,
  START_MS,
} from '../../storage/events.ts';
import { deploymentSettings, scratchFolder } from '../fixture.ts';

const LIVE = {
  kind: 'zb',
  dataUrl: 'http://127.0.0.1:1',
  tradeUrl: 'http://127.0.0.1:1',
  pushUrl: 'ws://127.0.0.1:1',
  accessKey: { env: 'A' },
  secretKey: { env: 'B' },
};

/** In each of the runs one order filled and its fee was told later. */
const FILLED = [...filledEvents(), lateFeeEvent()];

interface Journalled {
  readonly venue?: object;
  readonly hasBasis?: boolean;
  /** The settings on record. Default: those of a deployment with that venue. */
  readonly recorded?: object;
  readonly events?: readonly TradingEvent[];
  /** Default: a journal of its own. */
  readonly path?: string;
}

/** A journal of runs that are all alike, as a deployment with that venue has it. */
function journalOf(runs: number, options: Journalled = {}): string {
  const { venue, hasBasis = true, events = FILLED } = options;
  const { path = join(scratchFolder(), 'test.journal') } = options;
  const settings = deploymentSettings(venue === undefined ? {} : { venue });
  const { recorded: config = deploymentSchema.parse(settings) } = options;
  const basis: RunBasis = { seed: 's', file: '/x.yaml', config, markets: [makeMarket()] };
  for (let run = 0; run < runs; run++) {
    const clock = new VirtualClock(START_MS);
    const journal = new FileJournal({ path, clock, configHash: 'a', ...(hasBasis && { basis }) });
    for (const event of events) journal.append(event);
    journal.close();
  }
  return path;
}

/** What was known at the start of a run. */
function knownBefore(path: string, run: number): ReplayLedger {
  const opened = replayable(openRecordedRun(path, run));
  const ledger = new ReplayLedger(opened.markets);
  takeUpEarlierRuns(opened, ledger);
  opened.reader.close();
  return ledger;
}

/** What the strategy held at the start of a run. */
function heldBefore(path: string, run: number): string {
  return knownBefore(path, run).position('btc_usdt', 'maker').amount.toString();
}

describe('takeUpEarlierRuns', () => {
  it('counts what the runs before left on a venue that goes on', () => {
    const path = journalOf(3, { venue: LIVE });
    expect([1, 2, 3].map((run) => heldBefore(path, run))).toEqual(['0', '0.00999', '0.01998']);
  });

  it('counts what a person has set in between', () => {
    const path = journalOf(1, { venue: LIVE });
    const word = { journal: path, market: 'btc_usdt', strategy: 'maker' };
    setPosition({ ...word, amount: Decimal.of('0.004'), clock: new VirtualClock(START_MS) });
    journalOf(1, { venue: LIVE, path });
    journalOf(1, { venue: LIVE, path });
    expect([3, 4].map((run) => heldBefore(path, run))).toEqual(['0.004', '0.01399']);
  });

  it('counts nothing where the exchange begins with each run', () => {
    expect(heldBefore(journalOf(2), 2)).toBe('0');
  });

  it('knows the orders that the runs before left, the one longest unchanged first', () => {
    const lost = { status: 'unknown', reason: 'no answer' } as const;
    const events = [
      orderOf(),
      orderOf({ clientOrderId: 'order2' }),
      cancelledOrderOf({ clientOrderId: 'order3' }),
      orderOf(lost as Partial<LiveOrder>),
    ].map((order) => orderEvent(order));
    const ofRun = (path: string, run: number) =>
      knownBefore(path, run)
        .liveOf('maker', 'btc_usdt')
        .map(({ clientOrderId, status }) => [clientOrderId, status]);
    const path = journalOf(2, { venue: LIVE, events });
    expect(ofRun(path, 1)).toEqual([]);
    expect(ofRun(path, 2)).toEqual([
      ['order2', 'open'],
      ['order1', 'unknown'],
    ]);
    expect(ofRun(journalOf(2, { events }), 2)).toEqual([]);
  });
});

describe('replayable', () => {
  it('names the journal and the run whose settings are damaged', () => {
    const path = journalOf(1, { recorded: deploymentSettings({ venue: { kind: 'nowhere' } }) });
    const run = openRecordedRun(path);
    const read = () => replayable(run);
    expect(read).toThrow(`Cannot replay run 1 of ${path}: it does not tell settings that can be`);
    expect(read).toThrow(`${path}, run 1: Cannot use "venue.kind": it is "nowhere"`);
    expect(read).toThrow(expect.objectContaining({ exitCode: 7 }));
    run.reader.close();
  });

  it('refuses a run that does not tell what it stood on', () => {
    const run = openRecordedRun(journalOf(1, { hasBasis: false }));
    expect(() => replayable(run)).toThrow('it does not tell its seed and markets');
    run.reader.close();
  });

  it('refuses a run whose market data was dropped since', () => {
    const { record, ...run } = openRecordedRun(journalOf(1));
    expect(() => replayable({ ...run, record: { ...record, isPruned: true } })).toThrow(
      'its market data was dropped since (journal.keepDays)',
    );
    run.reader.close();
  });
});
