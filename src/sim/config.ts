import { z } from 'zod';
import { currenciesOf, MARKET_ID, type Market } from '../domain/index.ts';
import { UNITS_MAX } from '../kernel/index.ts';
import { eachOnce } from './each-once.ts';
import { DEFAULT_FEE_RATE, FeeRate } from './fee-rate.ts';
import {
  accountFundsShape,
  currencyName,
  currencySchema,
  fundsSchema,
  moneyText,
} from './funds/index.ts';
import { marginSchema } from './margin/index.ts';

/** Least time between two depth pushes of a market. Source: the venue's recorded streams. */
export const DEFAULT_DEPTH_INTERVAL_MS = 100;
export const DEFAULT_SEED = 'tradewind';

const fraction = z.number().min(0).max(1);

/** What `FeeRate` can charge. */
const feeRate = fraction.refine(FeeRate.isRate, 'a fraction below 1 of at most 6 decimal places');

/** How a seeded market behaves. Defaults: a liquid coin, a trade a second. */
export const syntheticSchema = z.strictObject({
  startPrice: z.number().positive().describe('Price at the start, in the quote currency.'),
  volatility: z
    .number()
    .min(0)
    .max(100)
    .default(0.6)
    .describe(
      "Standard deviation of a year's returns, on average over quiet and wild phases, as a " +
        'fraction.',
    ),
  volatilityOfVolatility: z
    .number()
    .min(0)
    .max(3)
    .default(0.8)
    .describe('How unsteady the volatility is: standard deviation of its logarithm.'),
  volatilityHalfLifeMs: z
    .number()
    .positive()
    .default(600_000)
    .describe('Half-life of a quiet or a wild phase, milliseconds.'),
  reversionHalfLifeMs: z
    .number()
    .positive()
    .nullable()
    .default(43_200_000)
    .describe(
      'Half-life of the distance from the start price, milliseconds; null: the price does not ' +
        'return to it, a random walk.',
    ),
  spread: fraction
    .default(0.000_2)
    .describe('Usual distance of best bid and ask, as a fraction of the price.'),
  levels: z
    .int()
    .min(1)
    .max(200)
    .default(25)
    .describe('Price levels on each side that makers keep.'),
  levelGap: fraction
    .default(0.000_05)
    .describe('Distance between two levels, as a fraction of the price.'),
  levelValue: z
    .number()
    .positive()
    .default(5_000)
    .describe('Usual value resting on a level, in the quote currency.'),
  tradesPerMinute: z.number().min(0).default(60).describe('Average number of takers a minute.'),
  tradeValue: z
    .number()
    .positive()
    .default(500)
    .describe('Average value that a taker wants, in the quote currency.'),
  clustering: z
    .number()
    .min(0)
    .max(0.95)
    .default(0.6)
    .describe('Fraction of the takers who are drawn in by an earlier taker.'),
  clusteringHalfLifeMs: z
    .number()
    .positive()
    .default(5_000)
    .describe('Half-life of the excitement after a trade, milliseconds.'),
  persistence: fraction
    .default(0.65)
    .describe('Probability that a taker trades in the direction of the one before.'),
  noiseOrdersPerMinute: z
    .number()
    .min(0)
    .max(60_000)
    .default(60)
    .describe('Limit orders a minute that come and go at random.'),
  stepMs: z
    .int()
    .min(10)
    .max(60_000)
    .default(200)
    .describe('Time between two steps of the market.'),
  historyHours: z
    .number()
    .min(0)
    .max(168)
    .default(8)
    .describe('Hours of past candles that the market starts with.'),
});
/** How a seeded market behaves; every field resolved. */
export type SyntheticParameters = z.infer<typeof syntheticSchema>;

const deposits = z.record(currencyName, moneyText);

/** A market of the simulated exchange. */
const simulatedMarketFields = z.strictObject({
  id: z
    .string()
    .regex(MARKET_ID, 'a market such as btc_usdt')
    .describe('Market identifier, <base>_<quote>.'),
  priceScale: z.int().min(0).max(12).default(2).describe('Decimal places of a price.'),
  amountScale: z.int().min(0).max(12).default(4).describe('Decimal places of an amount.'),
  minAmount: z
    .number()
    .min(0)
    .default(0.0001)
    .describe('Least amount of an order, in the base currency.'),
  minSize: z.number().min(0).default(1).describe('Least value of an order, in the quote currency.'),
  synthetic: syntheticSchema
    .optional()
    .describe('How the seeded market behaves. Left out: no simulated traders act in the market.'),
});

/** A seeded market must have room for this many times its start price and its usual amount. */
const HEADROOM = 10;

const simulatedMarketSchema = simulatedMarketFields.superRefine((market, issues) => {
  const { synthetic, priceScale, amountScale } = market;
  if (synthetic === undefined) return;
  const { startPrice, levelValue, tradeValue, tradesPerMinute } = synthetic;
  const refuse = (message: string) =>
    issues.addIssue({ code: 'custom', path: ['synthetic', 'startPrice'], message });
  const amount = Math.max(levelValue, tradeValue * Math.max(1, tradesPerMinute)) / startPrice;
  const isTooFine = (value: number, scale: number) => HEADROOM * value * 10 ** scale >= UNITS_MAX;
  if (startPrice * 10 ** priceScale < 1 / 2) {
    refuse('a higher one or a higher priceScale is wanted: prices are rounded to nothing');
  } else if (isTooFine(startPrice, priceScale)) {
    refuse('a lower one or a lower priceScale is wanted: prices have too many digits');
  } else if (isTooFine(amount, amountScale)) {
    refuse('a higher one or a lower amountScale is wanted: amounts have too many digits');
  }
});

/** What an account may do. */
export const permissionsSchema = z
  .strictObject({
    assets: z.boolean().default(true).describe('May read balances.'),
    orders: z.boolean().default(true).describe('May trade.'),
    withdrawals: z.boolean().default(false).describe('May withdraw.'),
    margin: z.boolean().default(true).describe('May trade on margin.'),
  })
  .prefault({});

/** An account of the simulated exchange. Keys are not configured here. */
const simulatedAccountSchema = z.strictObject({
  name: z.string().min(1).describe('Name of the account.'),
  balances: deposits
    .default({})
    .describe('Money in the spot wallet at the start, as texts by currency.'),
  marginBalances: z
    .strictObject({
      isolated: deposits.default({}).describe('Isolated margin wallet.'),
      cross: deposits.default({}).describe('Cross margin wallet.'),
    })
    .optional()
    .describe('Money in the margin wallets at the start.'),
  permissions: permissionsSchema.describe('What the account may do.'),
  ...accountFundsShape,
});

/** Settings of the simulated exchange. */
export const simulationSchema = z.strictObject({
  markets: z
    .array(simulatedMarketSchema)
    .min(1)
    .superRefine(eachOnce('id'))
    .prefault([{ id: 'btc_usdt', synthetic: { startPrice: 30_000 } }])
    .describe('The markets that are open.'),
  accounts: z
    .array(simulatedAccountSchema)
    .superRefine(eachOnce('name'))
    .prefault([{ name: 'main', balances: { usdt: '10000', btc: '0.5' } }])
    .describe('The accounts that trade.'),
  fees: z
    .strictObject({
      maker: feeRate.default(DEFAULT_FEE_RATE).describe('Fee of resting orders, a fraction.'),
      taker: feeRate.default(DEFAULT_FEE_RATE).describe('Fee of taking orders, a fraction.'),
    })
    .prefault({})
    .describe('Trading fees, taken from what a trade brings in.'),
  latency: z
    .strictObject({
      requestMs: z.number().min(0).default(0).describe('Until a request arrives.'),
      answerMs: z.number().min(0).default(0).describe('Until its answer is back.'),
      pushMs: z.number().min(0).default(0).describe('Until a push arrives.'),
    })
    .prefault({})
    .describe('How long things take between client and exchange, milliseconds.'),
  readLagMs: z
    .number()
    .min(0)
    .default(0)
    .describe('How long after an order was accepted reads do not find it, milliseconds.'),
  depthIntervalMs: z
    .number()
    .min(0)
    .default(DEFAULT_DEPTH_INTERVAL_MS)
    .describe('Least time between two depth pushes, milliseconds; 0: each change is pushed.'),
  currencies: z
    .record(currencyName, currencySchema)
    .default({})
    .describe(
      'Settings of currencies that differ from the usual ones, by name; also adds further ' +
        'currencies.',
    ),
  funds: fundsSchema.prefault({}).describe('How money goes in and out.'),
  margin: marginSchema.prefault({}).describe('Leverage and interest of loans.'),
  seed: z
    .union([z.string(), z.number()])
    .default(DEFAULT_SEED)
    .describe('Seed of the seeded markets and of addresses: the same seed gives the same ones.'),
});
/** Settings of the simulated exchange, every default resolved. */
export type SimulationConfig = z.infer<typeof simulationSchema>;

/** The market of its settings, without those of its behaviour. */
export function marketOf(config: SimulationConfig['markets'][number]): Market {
  const { id, priceScale, amountScale, minAmount, minSize } = config;
  return { id, ...currenciesOf(id), priceScale, amountScale, minAmount, minSize };
}
