import { describe, expect, it } from 'vitest';
import type { LiveOrder, TradingEvent } from '../../../src/domain/index.ts';
import { Dismissals } from '../../../src/execution/sending/dismissals.ts';
import { Bus, type Logger, silentLogger, VirtualClock } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';

function created() {
  const clock = new VirtualClock(0);
  const lines: string[] = [];
  const line = (level: string) => (_fields: object, text: string) =>
    void lines.push(`${level} ${text}`);
  const logger: Logger = { ...silentLogger, warn: line('warn'), debug: line('debug') };
  const whyUnwelcome = ({ price }: LiveOrder) =>
    price < 100
      ? ({ cause: 'priceMin', reason: 'too low' } as const)
      : ({ cause: 'blackout', reason: 'a blackout' } as const);
  const gate = { whyUnwelcome } as ConstructorParameters<typeof Dismissals>[0]['gate'];
  const bus = new Bus<TradingEvent>();
  const refused: unknown[] = [];
  bus.on('refusal').subscribe(({ tag, refusal: { code } }) => refused.push([tag, code]));
  return { clock, lines, refused, dismissals: new Dismissals({ clock, bus, gate, logger }) };
}

describe('Dismissals', () => {
  it('are told once for each market and cause, and again a minute later', () => {
    const { clock, lines, dismissals } = created();
    const dear = makeOpen();
    const cheap = makeOpen({ price: 90 as LiveOrder['price'] });
    const other = makeOpen({ market: 'eth_usdt' });
    dismissals.tell([dear, cheap, dear, other]);
    clock.advanceBy(59_999);
    dismissals.tell([dear]);
    clock.advanceBy(1);
    dismissals.tell([dear]);
    expect(lines).toEqual([
      'warn cancelling 2 orders of btc_usdt: a blackout',
      'warn cancelling 1 order of btc_usdt: too low',
      'warn cancelling 1 order of eth_usdt: a blackout',
      'debug cancelling 1 order of btc_usdt: a blackout',
      'warn cancelling 1 order of btc_usdt: a blackout',
    ]);
  });

  it('are told to the strategy of orders by their tags, which do not come back', () => {
    const { refused, dismissals } = created();
    dismissals.tell([
      makeOpen({ tag: 'entry' }),
      makeOpen({ tag: 'low', price: 90 as LiveOrder['price'] }),
      makeOpen({ tag: 'quotes/bid/0' }),
      makeOpen({ tag: 'target/' }),
    ]);
    expect(refused).toEqual([
      ['entry', 'blackout'],
      ['low', 'priceBounds'],
    ]);
  });

  it('leave out what is being cancelled already', () => {
    const { lines, dismissals } = created();
    dismissals.tell([{ ...makeOpen(), status: 'cancelling' } as LiveOrder]);
    expect(lines).toEqual([]);
  });
});
