import type { OrderTerms } from '../../src/domain/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { amount, ExchangeModel, type Fate, price } from './exchange-model.ts';
import { MARKET, quotes } from './fixture.ts';

export const TERMS: OrderTerms = {
  market: MARKET.id,
  side: 'buy',
  type: 'limit',
  price: price(100),
  amount: amount(1),
};

export const WISH = quotes([100, [99, 2], [98, 3]], [], { postOnly: false });

export interface Past {
  readonly clockAheadMs?: number;
  /** The fate of the batch's request. */
  readonly fate?: Fate;
  /** Number of orders of the same terms that were placed and cancelled before. Default: 1. */
  readonly former?: number;
}

/** A model whose account has earlier orders, and that gives the batch the told fate. */
export function createModel({ clockAheadMs = 0, fate = {}, former = 1 }: Past) {
  const clock = new VirtualClock(1_700_000_000_000);
  const model = new ExchangeModel(clock, { markets: [MARKET] });
  model.clockAheadMs = clockAheadMs;
  model.pushDelayMs = undefined;
  for (let i = 0; i < former; i++) {
    model.end(model.placeForeign(TERMS));
    clock.advanceBy(6_000);
  }
  model.fate = (operation) => (operation === 'placeBatch' ? fate : {});
  return { clock, model, markets: [MARKET], config: { batch: true } };
}
