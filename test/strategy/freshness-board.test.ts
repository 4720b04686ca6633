import { describe, expect, it } from 'vitest';
import type { DataStream, TradingEvent } from '../../src/domain/index.ts';
import { Bus } from '../../src/kernel/index.ts';
import { FreshnessBoard } from '../../src/strategy/freshness-board.ts';

describe('FreshnessBoard', () => {
  it('keeps the newest word on every stream of a market', () => {
    const bus = new Bus<TradingEvent>();
    const board = new FreshnessBoard(bus);
    const say = (stream: DataStream, fresh: boolean, market = 'btc_usdt') =>
      bus.publish({ kind: 'freshness', time: 0, market, stream, fresh, ageMs: 0 });
    say('depth', true);
    say('trade', true);
    say('depth', false);
    say('depth', true, 'eth_usdt');
    const words = board.of('btc_usdt').map(({ stream, fresh }) => [stream, fresh]);
    expect(words).toEqual([
      ['depth', false],
      ['trade', true],
    ]);
    expect(board.of('xrp_eth')).toEqual([]);
  });
});
