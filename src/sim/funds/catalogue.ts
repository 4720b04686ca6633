import { Decimal } from '../../kernel/index.ts';
import type { Currencies } from '../currencies.ts';
import { type SettingPath, SimulationError } from '../errors.ts';
import { type ChainSettings, type CurrencySettings, DECIMALS_MAX } from './config.ts';
import { usualCurrency } from './usual-currencies.ts';

/** A chain that a currency moves on. */
export interface Chain {
  readonly name: string;
  readonly mainChain: string;
  readonly fee: Decimal;
  readonly minWithdrawal: Decimal;
  readonly usesMemo: boolean;
  /** Blocks until a deposit arrives. */
  readonly confirmations: number;
  readonly blockMs: number;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
}

/** What the exchange knows of a currency. */
export interface CurrencyEntry {
  /** In lower case. */
  readonly name: string;
  readonly fullName: string;
  /** Its number among the currencies of the exchange. */
  readonly index: number;
  /** Decimal places of its deposits and withdrawals. */
  readonly decimals: number;
  /** The main one first. */
  readonly chains: readonly [Chain, ...Chain[]];
}

/** All currencies of an exchange, by name. */
export type Catalogue = ReadonlyMap<string, CurrencyEntry>;

/**
 * Resolves the settings of all currencies.
 *
 * @throws {SimulationError} for a fee finer than its currency.
 */
export function catalogueOf(
  currencies: Currencies,
  settings: Readonly<Record<string, CurrencySettings>>,
): Catalogue {
  const given = new Map(Object.entries(settings));
  return new Map(
    currencies.names.map((name, index) => {
      const usual = usualCurrency(name);
      const own = given.get(name) ?? {};
      const decimals = Math.min(own.decimals ?? DECIMALS_MAX, currencies.scaleOf(name));
      const isOwn = (own.chains ?? own.decimals) !== undefined;
      const path = ['currencies', name];
      const [main, ...others] = (own.chains ?? usual.chains).map((chain, at) =>
        chainOf(isOwn ? chain : roundedUp(chain, decimals), {
          ...{ currency: name, decimals },
          path: [...path, ...(own.chains === undefined ? ['decimals'] : ['chains', at])],
        }),
      );
      const { fullName = usual.fullName } = own;
      // Settings refuse an empty list, and one that repeats a name, when they are read.
      return [name, { name, index, decimals, fullName, chains: [main!, ...others] }];
    }),
  );
}

/** Usual fees, which nobody has set, are rounded up to the units that a currency is counted in. */
function roundedUp(chain: ChainSettings, decimals: number): ChainSettings {
  const up = (text: string): string => Decimal.of(text).round(decimals, 'up').toString();
  const { withdrawalFee, minWithdrawal } = chain;
  return { ...chain, withdrawalFee: up(withdrawalFee), minWithdrawal: up(minWithdrawal) };
}

function chainOf(
  settings: ChainSettings,
  { currency, decimals, path }: { currency: string; decimals: number; path: SettingPath },
): Chain {
  const { withdrawalFee, minWithdrawal, name, mainChain = name, ...rest } = settings;
  const exact = (text: string): Decimal => {
    const money = Decimal.of(text);
    if (isExact(money, decimals)) return money;
    throw new SimulationError(
      `Cannot charge ${text} ${currency} on the chain ${name}: at most ${decimals} decimal ` +
        'places are wanted',
      { path },
    );
  };
  return {
    ...rest,
    name,
    mainChain,
    fee: exact(withdrawalFee),
    minWithdrawal: exact(minWithdrawal),
  };
}

/** Whether money has no digits beyond `decimals` places. */
export function isExact(money: Decimal, decimals: number): boolean {
  return money.round(decimals, 'down').equals(money);
}
