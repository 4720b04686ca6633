import type { FullExchange } from '../../../src/exchange/index.ts';
import type { SimulatedExchangeOptions } from '../../../src/sim/index.ts';
import { answerOf, exchangeFixture } from '../fixture.ts';

/** Alice has 1000 usdt in each margin wallet; a last price of 100 and much to trade with. */
export function marginFixture(overrides: Partial<SimulatedExchangeOptions> = {}) {
  const wallet = { usdt: '1000' };
  const fixture = exchangeFixture({
    accounts: [
      { name: 'alice', balances: {}, marginBalances: { isolated: wallet, cross: wallet } },
      { name: 'bob', balances: { usdt: '1000000', btc: '1000' } },
    ],
    ...overrides,
  });
  fixture.liquidity.setLevel({ side: 'sell', price: 100, amount: 1_000 });
  fixture.liquidity.setLevel({ side: 'buy', price: 99, amount: 1_000 });
  fixture.liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
  return fixture;
}

/** One currency of the cross account, as texts. */
export function crossAssetOf(account: FullExchange, currency: string) {
  const { assets } = answerOf(account.margin.crossAccount());
  const asset = assets.find((candidate) => candidate.currency === currency)!;
  const { available, frozen, loan, overdraft, transferable } = asset;
  return {
    available: available.toString(),
    frozen: frozen.toString(),
    loan: loan.toString(),
    overdraft: overdraft.toString(),
    transferable: transferable.toString(),
  };
}

/** The worth of the cross account, as texts. */
export function crossWorthOf(account: FullExchange) {
  const { total, net, loan, riskRate } = answerOf(account.margin.crossAccount());
  return { total: total.toString(), net: net.toString(), loan: loan.toString(), riskRate };
}
