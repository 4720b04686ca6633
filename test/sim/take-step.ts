import type { OrderType, Side } from '../../src/domain/index.ts';
import { ExchangeFailure, type PlaceRequest } from '../../src/exchange/index.ts';
import { answerOf, type exchangeFixture, place } from './fixture.ts';

export interface OrderStep extends Partial<Pick<PlaceRequest, 'accountType' | 'borrow' | 'repay'>> {
  readonly who: 'alice' | 'bob' | 'print' | 'level' | 'cancel';
  readonly market: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number;
  readonly amount: number;
}

/** Does a step. Returns the refusal if the exchange refused it, and the step has not happened. */
export function takeStep(
  { exchange, ...accounts }: ReturnType<typeof exchangeFixture>,
  { who, ...order }: OrderStep,
): ExchangeFailure | undefined {
  const { market, side, price, amount } = order;
  const terms = { side, price, amount };
  try {
    if (who === 'print') exchange.anonymous(market).print({ ...terms, takerSide: side });
    else if (who === 'level') exchange.anonymous(market).setLevel(terms);
    else if (who === 'cancel') {
      const [open] = [...exchange.inspect('alice').openOrders.values()].flat();
      if (open !== undefined) answerOf(accounts.alice.trading.cancel(open));
    } else place(accounts[who], order);
  } catch (refusal) {
    if (!(refusal instanceof ExchangeFailure)) throw refusal;
    return refusal;
  }
  return undefined;
}
