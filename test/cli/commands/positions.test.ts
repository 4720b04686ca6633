import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/app/index.ts';
import { journalWith, openRun, runOf } from '../../app/journal/fixture.ts';
import { line } from './fixture.ts';

/** A journal by which `maker` holds 3 btc that cost 301 usdt. */
const bought = (): string => journalWith([runOf(['buy', 100, 2], ['buy', 101, 1])]);

const set = (words: string, journal: string) =>
  line(`positions set btc_usdt ${words} --strategy maker --journal ${journal}`);

describe('tradewind positions set', () => {
  it('says what was believed and what is recorded now', async () => {
    const journal = bought();
    const { code, stdout } = await set('1', journal);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'strategy  maker in btc_usdt\n' +
        'was       3 btc, cost 301 usdt\n' +
        'is now    1 btc, cost 100.33333333 usdt\n' +
        'profit    as before\n',
    });
    const sold = await set('0 --price 2100.5', journal);
    expect(sold.stdout).toContain('is now    0 btc, cost 0 usdt\nprofit    +2,000.16666667 usdt\n');
    const short = await set('-1 --price 90', journal);
    expect(short.stdout).toContain('is now    -1 btc, cost -90 usdt\nprofit    as before\n');
  });

  it('tells programs', async () => {
    const journal = bought();
    const told = { journal, strategy: 'maker', market: 'btc_usdt', currency: 'usdt' };
    expect((await set('1.5 --json', journal)).json()).toEqual({
      ...{ ...told, was: '3', amount: '1.5', cost: '150.5', price: null, profit: '0' },
    });
    expect((await set('0 --price 90 --json', journal)).json()).toEqual({
      ...{ ...told, was: '1.5', amount: '0', cost: '0', price: '90', profit: '-15.5' },
    });
  });

  it.each(['', 'all', '1e3', '0 --price 0', '0 --price -1'])(
    'wants an amount, and a price that can be one: %s',
    async (words) => {
      const journal = bought();
      expect((await set(words, journal)).code).toBe(EXIT_CODES.usage);
      expect((await set('0', journal)).stdout).toContain('was       3 btc');
    },
  );

  it('ends with the code of a journal in use, and of what is refused', async () => {
    const journal = bought();
    const refused = await set('3', journal);
    expect([refused.code, refused.stderr]).toEqual([
      EXIT_CODES.refused,
      'Cannot set what maker holds in btc_usdt: the journal has 3 already, another amount is wanted',
    ]);
    const running = openRun(journal, 2, runOf());
    expect((await set('0', journal)).code).toBe(EXIT_CODES.journal);
    running.close();
    const other = `positions set btc_usdt 0 --strategy makr --journal ${journal}`;
    expect((await line(other)).code).toBe(EXIT_CODES.usage);
  });

  it('stands in the journal from then on', async () => {
    const journal = bought();
    await set('0 --price 90', journal);
    const trades = await line(`journal trades ${journal}`);
    expect(trades.stdout).toMatch(
      /\nset by hand\nset +strategy +market +was +is +worth\n[\d: -]+ {2}maker +btc_usdt +3 +0 +270 +usdt\n$/,
    );
    const { json } = await line(`journal trades ${journal} --json`);
    const exact = { before: '3', after: '0', value: '-270' };
    expect(json().adjustments).toEqual([
      { run: 2, time: expect.any(String), strategy: 'maker', market: 'btc_usdt', ...exact },
    ]);
    const events = await line(`journal events ${journal} --kind adjustment`);
    expect(events.stdout).toMatch(/adjustment +btc_usdt +maker holds 0, not 3: worth 270\n/);
  });
});
