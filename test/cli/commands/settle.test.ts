import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/app/index.ts';
import { makePending } from '../../domain/fixture.ts';
import { orderEvent } from '../../storage/events.ts';
import { journalOf, writtenRun } from '../../storage/fixture.ts';
import { line } from './fixture.ts';

/** A journal with one order in doubt, `lost1`. */
function journalFile(reason = 'timed out'): string {
  const order = {
    ...makePending({ clientOrderId: 'lost1', createdTime: Date.UTC(2024, 0, 31, 10) }),
    ...({ status: 'unknown', reason, unknownSince: 5 } as const),
  };
  return writtenRun([orderEvent(order)]);
}

describe('tradewind orders settle', () => {
  it('says what the order was and what is recorded now', async () => {
    const { code, stdout } = await line(
      `orders settle lost1 --journal ${journalFile()} --never-placed`,
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'order   lost1 of maker, 2024-01-31T10:00:00.000Z\n' +
        'terms   buy 1 btc at 100 usdt, limit\n' +
        'was     unknown: timed out\n' +
        'is now  never placed\n',
    });
    const told = await line(`orders settle lost1 --journal ${journalFile()} --is 77`);
    expect(told.stdout).toMatch(/\nis now {2}77 at the exchange: the next start reads it\n$/);
  });

  it('leaves out of a failure what its request asked for', async () => {
    const request = 'GET /api/order?accesskey=***&amount=1&reqTime=1795375226887';
    const journal = journalFile(`Cannot tell the outcome of ${request}: other side closed`);
    const { stdout } = await line(`orders settle lost1 --journal ${journal} --is 77`);
    expect(stdout).toContain(
      'was     unknown: Cannot tell the outcome of GET /api/order: other side closed\n',
    );
  });

  it('tells programs', async () => {
    const journal = journalFile();
    const { json } = await line(`orders settle lost1 --journal ${journal} --is 77 --json`);
    expect(json()).toEqual({
      ...{ outcome: 'to be read', id: '77', journal, clientOrderId: 'lost1', strategy: 'maker' },
      ...{ market: 'btc_usdt', side: 'buy', type: 'limit', price: '100', amount: '1' },
      ...{ time: '2024-01-31T10:00:00.000Z', was: 'unknown: timed out' },
    });
    const never = await line(`orders settle lost1 --journal ${journal} --never-placed --json`);
    expect(never.json()).toMatchObject({ outcome: 'never placed', id: null });
  });

  it.each(['', '--never-placed --is 77', '--is lost1'])(
    'wants to be told one thing of it: %s',
    async (flags) => {
      const journal = journalFile();
      const { code } = await line(`orders settle lost1 --journal ${journal} ${flags}`);
      expect(code).toBe(EXIT_CODES.usage);
      const { stdout } = await line(`orders settle lost1 --journal ${journal} --never-placed`);
      expect(stdout).toContain('was     unknown');
    },
  );

  it('ends with the code of a journal in use, and of what is refused', async () => {
    const path = journalFile();
    const journal = journalOf({ path });
    const used = await line(`orders settle lost1 --journal ${path} --never-placed`);
    expect(used.code).toBe(EXIT_CODES.journal);
    journal.close();
    const other = await line(`orders settle other --journal ${path} --never-placed`);
    expect([other.code, other.stderr]).toEqual([
      EXIT_CODES.refused,
      `Cannot settle the order other: ${path} does not know it, one of its orders is wanted`,
    ]);
  });
});
