import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../../src/app/config/deployment.ts';
import {
  foldEarlierFills,
  openRecordedRun,
  replayable,
} from '../../../src/app/replay/recorded-run.ts';
import { ReplayLedger } from '../../../src/app/replay/replay-ledger.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { openJournal, type RunBasis } from '../../../src/storage/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { filledEvents, lateFeeEvent, START_MS } from '../../storage/events.ts';
import { deploymentSettings, scratchFolder } from '../fixture.ts';

const LIVE = {
  kind: 'zb',
  dataUrl: 'http://127.0.0.1:1',
  tradeUrl: 'http://127.0.0.1:1',
  pushUrl: 'ws://127.0.0.1:1',
  accessKey: { env: 'A' },
  secretKey: { env: 'B' },
};

/** A journal of runs in each of which one order filled and its fee was told later, as a deployment with that venue has it. */
function journalOf(runs: number, options: { venue?: object; hasBasis?: boolean } = {}): string {
  const { venue, hasBasis = true } = options;
  const path = join(scratchFolder(), 'test.journal');
  const settings = deploymentSettings(venue === undefined ? {} : { venue });
  const config = deploymentSchema.parse(settings);
  const basis: RunBasis = { seed: 's', file: '/x.yaml', config, markets: [makeMarket()] };
  for (let run = 0; run < runs; run++) {
    const clock = new VirtualClock(START_MS);
    const journal = openJournal({ path, clock, configHash: 'a', ...(hasBasis && { basis }) });
    for (const event of [...filledEvents(), lateFeeEvent()]) journal.append(event);
    journal.close();
  }
  return path;
}

/** What the strategy held at the start of a run. */
function heldBefore(path: string, run: number): string {
  const opened = replayable(openRecordedRun(path, run));
  const ledger = new ReplayLedger(opened.markets);
  foldEarlierFills(opened, ledger);
  opened.reader.close();
  return ledger.position('btc_usdt', 'maker').amount.toString();
}

describe('foldEarlierFills', () => {
  it('counts what the runs before left on a venue that goes on', () => {
    const path = journalOf(3, { venue: LIVE });
    expect([1, 2, 3].map((run) => heldBefore(path, run))).toEqual(['0', '0.00999', '0.01998']);
  });

  it('counts nothing where the exchange begins with each run', () => {
    expect(heldBefore(journalOf(2), 2)).toBe('0');
  });
});

describe('replayable', () => {
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
