import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/app/errors.ts';
import { requireSameVenue } from '../../../src/app/venue/same-venue.ts';
import type { RunBasis } from '../../../src/storage/index.ts';
import { runEvent } from '../../storage/events.ts';
import { copyJournal, journalOf, scratchPath } from '../../storage/fixture.ts';

type VenueConfig = Parameters<typeof requireSameVenue>[1];

const SIMULATED = { kind: 'simulated' } as VenueConfig;

function zb(host: string, settings: object = {}): VenueConfig {
  return { kind: 'zb', tradeUrl: `https://${host}/api`, ...settings } as VenueConfig;
}

/** A journal whose newest run traded there, ended or killed, or was refused there. */
function keptOn(
  venue: VenueConfig,
  { killed = false, refused = false, path = scratchPath() } = {},
) {
  const basis: RunBasis = { seed: '1', file: 'live.yaml', config: { venue }, markets: [] };
  const journal = journalOf({ path, basis });
  journal.append(runEvent(refused ? 'starting' : 'running'));
  const copy = killed ? copyJournal(path) : path;
  journal.close();
  return copy;
}

describe('requireSameVenue', () => {
  it('refuses the journal of a paper run to a live one, and the other way round', () => {
    const [paper, live] = [keptOn(SIMULATED), keptOn(zb('trade.one'))];
    expect(() => requireSameVenue(paper, zb('trade.one'))).toThrow(
      `Cannot start with the journal ${paper}: its last run traded on a simulated exchange, this one ` +
        'would on trade.one/api, where the positions and losses of that run do not exist; a journal of its own is ' +
        'wanted (journal.path, or another name)',
    );
    expect(() => requireSameVenue(live, SIMULATED)).toThrow(AppError);
    expect(() => requireSameVenue(live, SIMULATED)).toThrow(
      expect.objectContaining({ exitCode: 3 }),
    );
  });

  it('refuses the journal of another address, also after a kill, unless it is said to have moved', () => {
    const journal = keptOn(zb('trade.one'), { killed: true });
    expect(() => requireSameVenue(journal, zb('trade.two'))).toThrow('or venue.formerTradeUrl');
    const moved = { formerTradeUrl: 'https://trade.one:443/api/' };
    expect(() => requireSameVenue(journal, zb('trade.two', moved))).not.toThrow();
    expect(() =>
      requireSameVenue(journal, zb('trade.two', { ...moved, kind: 'simulated' })),
    ).toThrow();
  });

  it('passes over a start that was refused: nothing was traded there', () => {
    const refused = keptOn(zb('trade.one'), { refused: true });
    expect(() => requireSameVenue(refused, zb('trade.two'))).not.toThrow();
    const path = keptOn(zb('trade.one'));
    keptOn(zb('trade.two'), { refused: true, path });
    expect(() => requireSameVenue(path, zb('trade.two'))).toThrow('traded on trade.one/api');
  });

  it('tells venues behind one host apart by their paths', () => {
    const journal = keptOn(zb('gateway/one'));
    expect(() => requireSameVenue(journal, zb('gateway/two'))).toThrow('traded on gateway/one/api');
    expect(() => requireSameVenue(journal, zb('GATEWAY/one'))).not.toThrow();
  });

  it.each([null, { kind: 'zb', tradeUrl: 'nowhere' }])(
    'takes a journal whose venue is illegible: %j',
    (venue) => {
      const journal = keptOn(venue as VenueConfig);
      expect(() => requireSameVenue(journal, zb('trade.one'))).not.toThrow();
    },
  );

  it('takes a journal of the same venue, of none, and one that tells of no venue', () => {
    const untold = scratchPath();
    journalOf({ path: untold }).close();
    const [paper, live] = [keptOn(SIMULATED), keptOn(zb('trade.one'))];
    expect(() => requireSameVenue(paper, SIMULATED)).not.toThrow();
    expect(() => requireSameVenue(live, zb('trade.one'))).not.toThrow();
    for (const journal of [untold, scratchPath()]) {
      expect(() => requireSameVenue(journal, zb('trade.one'))).not.toThrow();
    }
  });
});
