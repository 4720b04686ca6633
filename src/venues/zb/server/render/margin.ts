import type { CrossAccount, CrossAsset } from '../../../../domain/index.ts';
import { fundTypeOf } from './coins.ts';

/** The cross account. Source: wire facts, getCrossAssets: the rate is `-` without a loan. */
export function renderCrossAccount({ assets, total, net, loan, riskRate }: CrossAccount): string {
  return (
    `{"loanIn":${loan},"total":${total},"riskRate":"${riskRate ?? '-'}","net":${net}` +
    `,"list":[${assets.map(renderCrossAsset).join(',')}]}`
  );
}

function renderCrossAsset(asset: CrossAsset): string {
  const { currency, available, frozen, loan, overdraft, transferable } = asset;
  return (
    `{"fundType":${fundTypeOf(currency)},"loanIn":${loan},"amount":${available},"freeze":${frozen}` +
    `,"overdraft":${overdraft},"key":${JSON.stringify(currency.toUpperCase())}` +
    `,"canTransferOut":${transferable}}`
  );
}
