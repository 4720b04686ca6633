import type { CrossAccount, IsolatedMarket, MarginAsset } from '../../../../domain/index.ts';
import { symbolOf } from '../../wire/fields.ts';
import { fundTypeOf } from './coins.ts';

/** The cross account. Source: wire facts, getCrossAssets: the rate is `-` without a loan. */
export function renderCrossAccount({ assets, total, net, loan, riskRate }: CrossAccount): string {
  return (
    `{"loanIn":${loan},"total":${total},"riskRate":"${riskRate ?? '-'}","net":${net}` +
    `,"list":[${assets.map(renderCrossAsset).join(',')}]}`
  );
}

function renderCrossAsset(asset: MarginAsset): string {
  const { currency, available, frozen, loan, overdraft, transferable } = asset;
  return (
    `{"fundType":${fundTypeOf(currency)},"loanIn":${loan},"amount":${available},"freeze":${frozen}` +
    `,"overdraft":${overdraft},"key":${JSON.stringify(currency.toUpperCase())}` +
    `,"canTransferOut":${transferable}}`
  );
}

/**
 * The isolated account, one lever per market: `c...` is the base currency, `f...` the quote
 * currency. Every value is a text, as other people's programs read them.
 */
export function renderIsolatedAccount(markets: readonly IsolatedMarket[]): string {
  return `{"leverPerm":true,"levers":[${markets.map(renderLever).join(',')}]}`;
}

function renderLever({ market, base, quote, ...worth }: IsolatedMarket): string {
  const [coin, fiat] = [base, quote].map(({ currency }) => currency.toUpperCase());
  return JSON.stringify({
    ...{ key: symbolOf(market), showName: `${coin}/${fiat}` },
    ...{ riskRate: `${worth.riskRate ?? '-'}`, totalConvertUSD: `${worth.total}` },
    ...{ netConvertUSD: `${worth.net}`, loanInConvertUSD: `${worth.loan}` },
    ...{ cEnName: coin, cShowName: coin, cUnitTag: coin },
    ...{ cAvailable: `${base.available}`, cFreeze: `${base.frozen}`, cLoanIn: `${base.loan}` },
    ...{ cOverdraft: `${base.overdraft}`, couldTransferOutCoin: `${base.transferable}` },
    ...{ fEnName: fiat, fShowName: fiat, fUnitTag: fiat },
    ...{ fAvailable: `${quote.available}`, fFreeze: `${quote.frozen}`, fLoanIn: `${quote.loan}` },
    ...{ fOverdraft: `${quote.overdraft}`, couldTransferOutFiat: `${quote.transferable}` },
  });
}
