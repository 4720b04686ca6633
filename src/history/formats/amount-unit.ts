/**
 * What amounts count if not the base currency. Candles made of quotes have their number as volume.
 */
export const AMOUNT_UNITS = ['contracts', 'inverse contracts', 'US dollars', 'quotes'] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

/**
 * An exchange whose amounts, of all symbols or of those that match, do not count the base currency.
 */
interface Rule {
  readonly exchange: string;
  readonly symbols?: RegExp;
  readonly unit: AmountUnit;
}

/**
 * Exchanges under Tardis' names. Tardis passes amounts on as the exchange gives them
 * (docs.tardis.dev/downloadable-csv-files, and the mappers of github.com/tardis-dev/tardis-node), so
 * the exchange's own documents say what they count:
 *
 * - bitmex: `size` is in contracts; those of XBTUSD and of the futures on it are worth one US dollar
 *   each (bitmex.com/app/contract/XBTUSD);
 * - deribit: "for perpetual and inverse futures the amount is in USD units"; for options and linear
 *   contracts it is in the base currency (docs.deribit.com, public/get_last_trades_by_instrument);
 * - bybit: inverse contracts count US dollars (bybit-exchange.github.io/docs/v5/market/recent-trade);
 * - okex: `sz` of futures, swaps and options is in contracts; those on USD are worth 100 or 10 US
 *   dollars (okx.com/docs-v5, Get instruments: `ctVal`);
 * - huobi-dm: `amount` is in contracts ("Cont."; huobiapi.github.io/docs/dm/v1, coin_margined_swap/v1
 *   and usdt_swap/v1);
 * - binance-delivery: contracts of 100 or 10 US dollars (binance-docs.github.io/apidocs/delivery);
 * - cryptofacilities (Kraken Futures): inverse contracts are worth one US dollar each, PF_ counts the
 *   base currency (support.kraken.com, contract specifications);
 * - gate-io-futures: `size` is in contracts (gate.io/docs, futures: `quanto_multiplier`);
 * - kucoin-futures: `size` is in lots (kucoin.com/docs, futures: `multiplier`);
 * - phemex: symbols that are not settled in USDT count contracts (phemex-docs.github.io);
 * - delta: `size` is in contracts (docs.delta.exchange: `contract_value`).
 *
 * The first matching rule wins. An exchange that is not listed is taken to count the base currency.
 */
const RULES: readonly Rule[] = [
  { exchange: 'bitmex', symbols: /^XBT(USD|[FGHJKMNQUVXZ]\d\d)$/, unit: 'US dollars' },
  { exchange: 'bitmex', unit: 'contracts' },
  {
    exchange: 'deribit',
    symbols: /^[A-Z]+-(PERPETUAL|\d{1,2}[A-Z]{3}\d\d)$/,
    unit: 'US dollars',
  },
  { exchange: 'bybit', symbols: /^[A-Z0-9]+USD([FGHJKMNQUVXZ]\d\d)?$/, unit: 'US dollars' },
  { exchange: 'okex-futures', symbols: /-USD-/, unit: 'inverse contracts' },
  { exchange: 'okex-futures', unit: 'contracts' },
  { exchange: 'okex-swap', symbols: /-USD-/, unit: 'inverse contracts' },
  { exchange: 'okex-swap', unit: 'contracts' },
  { exchange: 'okex-options', unit: 'contracts' },
  { exchange: 'huobi-dm', unit: 'inverse contracts' },
  { exchange: 'huobi-dm-swap', unit: 'inverse contracts' },
  { exchange: 'huobi-dm-linear-swap', unit: 'contracts' },
  { exchange: 'huobi-dm-options', unit: 'contracts' },
  { exchange: 'binance-delivery', unit: 'inverse contracts' },
  { exchange: 'cryptofacilities', symbols: /^[PF]I_/i, unit: 'US dollars' },
  { exchange: 'gate-io-futures', symbols: /^BTC_USD$/, unit: 'US dollars' },
  { exchange: 'gate-io-futures', unit: 'contracts' },
  { exchange: 'kucoin-futures', symbols: /(USDM|^XBTM[A-Z]\d\d)$/, unit: 'US dollars' },
  { exchange: 'kucoin-futures', unit: 'contracts' },
  { exchange: 'phemex', symbols: /^BTCUSD$/, unit: 'US dollars' },
  { exchange: 'phemex', symbols: /^(?!s|.*USDT$)/, unit: 'contracts' },
  { exchange: 'delta', unit: 'contracts' },
];

/** The unit of a symbol's amounts; undefined for the base currency and where no rule matches. */
export function amountUnitOf(exchange: string, symbol: string): AmountUnit | undefined {
  return RULES.find((rule) => rule.exchange === exchange && (rule.symbols?.test(symbol) ?? true))
    ?.unit;
}

/** What a user can do about amounts of each unit. */
const REMEDIES: Readonly<Record<AmountUnit, string>> = {
  contracts:
    '`data import --contract-size` converts them: how much of the base currency one is worth',
  'inverse contracts':
    'to convert them, write amount * contract size in US dollars / price into the file before ' +
    'you import it',
  'US dollars': 'to convert them, write amount / price into the file before you import it',
  quotes: 'a backtest on them needs backtest.fill.volumeCap: null',
};

/** The note about amounts that are not in the base currency: one sentence. */
export function amountUnitNote(name: string, unit: AmountUnit): string {
  return (
    `the amounts of ${name} count ${unit}, not the base currency, and are kept as they are: fills ` +
    `that depend on amounts mean nothing with them; ${REMEDIES[unit]}`
  );
}
