import type { IsolatedMarket, MarginAsset } from '../../../domain/index.ts';
import { acknowledged } from './acknowledged.ts';
import { riskRateOf } from './cross.ts';
import { decimalOf, type Fields, fieldsOf, listOf, nameOf } from './read.ts';

/**
 * The prefix of a side's fields in a lever, and the name of its field for what can be moved out.
 */
const SIDES = {
  base: { prefix: 'c', transferable: 'couldTransferOutCoin' },
  quote: { prefix: 'f', transferable: 'couldTransferOutFiat' },
} as const;

/**
 * The answer of `getLeverAssetsInfo`: one lever per market.
 *
 * ASSUMED: neither contract nor wire facts name it. Its fields are those that other people's
 * programs read: `c...` is the base currency, `f...` the quote currency.
 *
 * @throws {WireError}
 */
export function readIsolatedAccount(json: unknown): readonly IsolatedMarket[] {
  const message = fieldsOf(acknowledged(json).message, 'isolated account');
  const { levers } = fieldsOf(message.datas, "isolated account's datas");
  return listOf(levers, "isolated account's levers").map((value) => {
    const lever = fieldsOf(value, 'lever');
    const [base, quote] = [assetOf(lever, 'base'), assetOf(lever, 'quote')];
    const market = `${base.currency}_${quote.currency}`;
    return {
      ...{ market, base, quote },
      total: decimalOf(lever.totalConvertUSD, `total of ${market}`),
      net: decimalOf(lever.netConvertUSD, `net of ${market}`),
      loan: decimalOf(lever.loanInConvertUSD, `loan of ${market}`),
      riskRate: riskRateOf(lever.riskRate, `risk rate of ${market}`),
    };
  });
}

function assetOf(lever: Fields, side: keyof typeof SIDES): MarginAsset {
  const { prefix, transferable } = SIDES[side];
  const currency = nameOf(lever[`${prefix}ShowName`], `lever's ${side} currency`);
  const sum = (name: string) => decimalOf(lever[name], `${name} of a lever`);
  return {
    currency,
    available: sum(`${prefix}Available`),
    frozen: sum(`${prefix}Freeze`),
    loan: sum(`${prefix}LoanIn`),
    overdraft: sum(`${prefix}Overdraft`),
    transferable: sum(transferable),
  };
}
