import { z } from 'zod';
import { Decimal, HOUR_MS, MINUTE_MS } from '../../kernel/index.ts';
import { eachOnce } from '../each-once.ts';

/** Decimal places that deposits and withdrawals can have; every wallet can hold as many. */
export const DECIMALS_MAX = 8;

export const currencyName = z
  .string()
  .regex(/^[a-z0-9]+$/, 'a currency in lower case, such as btc');

/** Money from 0 on, as a text: binary fractions would not be exact. */
export const moneyText = z.string().refine(isMoney, 'money as a text, such as "1000.50"');

/** A chain that a currency moves on. */
export const chainSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[^_\s]+$/, 'a name without blanks')
    .describe('Name of the chain, such as TRC20.'),
  mainChain: z
    .string()
    .min(1)
    .optional()
    .describe('Chain that it runs on. Default: the chain itself.'),
  withdrawalFee: moneyText.default('0').describe('Fee of a withdrawal, in the currency.'),
  minWithdrawal: moneyText.default('0').describe('Least amount of a withdrawal.'),
  usesMemo: z
    .boolean()
    .default(false)
    .describe('Whether all accounts share an address and a memo tells them apart.'),
  confirmations: z
    .int()
    .min(0)
    .max(10_000)
    .default(6)
    .describe('Blocks until a deposit arrives; 0: at once.'),
  blockMs: z.number().positive().default(MINUTE_MS).describe('Time of a block, milliseconds.'),
  canDeposit: z.boolean().default(true).describe('Whether deposits are open.'),
  canWithdraw: z.boolean().default(true).describe('Whether withdrawals are open.'),
});
/** A chain that a currency moves on; every default resolved. */
export type ChainSettings = z.infer<typeof chainSchema>;

/** Settings of a currency; those left out are the usual ones of that currency. */
export const currencySchema = z.strictObject({
  fullName: z.string().min(1).optional().describe('Name for people. Default: the usual one.'),
  decimals: z
    .int()
    .min(0)
    .max(DECIMALS_MAX)
    .optional()
    .describe('Decimal places of deposits and withdrawals. Default: 8, fewer where much is held.'),
  chains: z
    .array(chainSchema)
    .min(1)
    .superRefine(eachOnce('name'))
    .optional()
    .describe('Chains that it moves on, the main one first. Default: the usual ones.'),
});
/** Settings of a currency. */
export type CurrencySettings = z.infer<typeof currencySchema>;

/** How money goes in and out. */
export const fundsSchema = z.strictObject({
  reviewMs: z
    .number()
    .min(0)
    .default(MINUTE_MS)
    .describe('From the submission of a withdrawal to its confirmation, milliseconds.'),
  transferMs: z
    .number()
    .min(0)
    .default(2 * MINUTE_MS)
    .describe('From the confirmation of a withdrawal to its success, milliseconds.'),
  withdrawalOutcome: z
    .enum(['succeeded', 'failed', 'cancelled'])
    .default('succeeded')
    .describe('How withdrawals end unless the operator decides otherwise.'),
  depositOutcome: z
    .enum(['succeeded', 'failed'])
    .default('succeeded')
    .describe('How deposits over a chain end unless the operator decides otherwise.'),
  passwordAttempts: z
    .int()
    .min(1)
    .default(5)
    .describe('Wrong funds passwords in a row that lock the withdrawals of an account.'),
  passwordLockMs: z
    .number()
    .min(0)
    .default(HOUR_MS)
    .describe('How long withdrawals stay locked then, milliseconds.'),
});
/** How money goes in and out; every default resolved. */
export type FundsSettings = z.infer<typeof fundsSchema>;

/** An address that an account may withdraw to. */
const verifiedAddressSchema = z.strictObject({
  address: z.string().min(1).describe('The address, or the account where the chain uses memos.'),
  memo: z.string().min(1).optional().describe('The memo, where the chain uses them.'),
  chain: z.string().min(1).optional().describe('Its chain. Default: the main chain.'),
});
export type VerifiedAddress = z.infer<typeof verifiedAddressSchema>;

/** The default funds password: good enough for play money. */
export const DEFAULT_PASSWORD = 'funds-password';

/** Settings of an account about its funds. */
export const accountFundsShape = {
  fundsPassword: z
    .string()
    .min(1)
    .default(DEFAULT_PASSWORD)
    .describe('Password that withdrawals of this play money ask for.'),
  withdrawalAddresses: z
    .record(currencyName, z.array(verifiedAddressSchema).min(1))
    .default({})
    .describe('Verified addresses by currency, the preferred first. Default: one for each chain.'),
  withoutDepositAddress: z
    .array(currencyName)
    .default([])
    .describe('Currencies whose deposit address was never created.'),
};

function isMoney(text: string): boolean {
  try {
    return Decimal.of(text).sign >= 0;
  } catch {
    return false;
  }
}
