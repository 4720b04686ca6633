import { describe, expect, it } from 'vitest';
import { followNews } from '../../../src/app/exchange/follow-news.ts';
import type { Depth } from '../../../src/domain/index.ts';
import { silentLogger } from '../../../src/kernel/index.ts';

function bookOf(levels: Depth['bids']): Depth {
  const stamps = { exchangeTime: 0, receivedTime: 0 };
  return { market: 'btc_usdt', bids: levels, asks: levels, ...stamps };
}

describe('followNews', () => {
  it('tells once that the venue is lost, until a book comes from it', () => {
    const lines: string[] = [];
    const line = (level: string) => (_fields: object, text: string) =>
      void lines.push(`${level} ${text}`);
    const news = followNews('btc_usdt', {
      ...silentLogger,
      ...{ info: line('info'), warn: line('warn') },
    });
    const whole = bookOf([[100, 1]]);
    news.lost('not opened yet');
    news.heard(whole);
    news.heard(whole);
    news.lost('gone');
    news.lost('ECONNREFUSED');
    news.heard(bookOf([]));
    news.lost('silent');
    news.heard(whole);
    expect(lines).toEqual([
      'info btc_usdt follows the venue',
      'warn btc_usdt is empty: the venue it follows is lost',
      'info btc_usdt follows the venue',
    ]);
  });
});
