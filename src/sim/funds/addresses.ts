import { getOrInsert, seededRandom } from '../../kernel/index.ts';
import { SimulationError } from '../errors.ts';
import { addressFrom } from './address-formats.ts';
import type { Catalogue, Chain, CurrencyEntry } from './catalogue.ts';
import type { VerifiedAddress } from './config.ts';

/** The lowest memo: memos have seven digits or more. */
const FIRST_MEMO = 1_000_000;

/** The settings of an account about its addresses. */
export interface AddressHolder {
  readonly name: string;
  /** Verified addresses by currency, the preferred first. Default: one for each chain. */
  readonly withdrawalAddresses?: Readonly<Record<string, readonly VerifiedAddress[]>>;
  /** Currencies whose deposit address was never created. Default: none. */
  readonly withoutDepositAddress?: readonly string[];
}

/** Where money goes to on a chain. */
export interface Destination {
  readonly chain: Chain;
  readonly address: string;
  readonly memo: string | undefined;
}

/** A destination of an account of this exchange. */
export interface OwnDestination extends Destination {
  readonly account: number;
}

/** A destination as one text. Source: contract, withdraw, receiveAddr. */
export function textOf({ address, memo }: Destination): string {
  return memo === undefined ? address : `${address}_${memo}`;
}

/** The addresses of all accounts: the same seed gives the same addresses. */
export class Addresses {
  readonly #seed: string;
  readonly #holders: readonly AddressHolder[];
  /** For each currency its deposit addresses by their text, made when first needed. */
  readonly #deposits = new Map<CurrencyEntry, ReadonlyMap<string, OwnDestination>>();
  readonly #verified: ReadonlyMap<string, readonly Destination[]>[];

  /** @throws {SimulationError} for addresses of an unknown currency or chain. */
  constructor(options: { seed: string; catalogue: Catalogue; holders: readonly AddressHolder[] }) {
    const { seed, catalogue, holders } = options;
    this.#seed = seed;
    this.#holders = holders;
    for (const { withoutDepositAddress = [] } of holders) {
      for (const name of withoutDepositAddress) knownIn(catalogue, name);
    }
    this.#verified = holders.map(({ withdrawalAddresses = {} }) => {
      const entries = Object.entries(withdrawalAddresses);
      return new Map(entries.map(([name, given]) => [name, verifiedOf(catalogue, name, given)]));
    });
  }

  /** Where deposits of a currency go, one for each chain; none if no address was created. */
  deposit(account: number, currency: CurrencyEntry): OwnDestination[] {
    const { withoutDepositAddress = [] } = this.#holders[account]!;
    if (withoutDepositAddress.includes(currency.name)) return [];
    return currency.chains.map((chain) => this.#destination(account, currency, chain));
  }

  /** Where an account may withdraw a currency to, the preferred first. */
  verified(account: number, currency: CurrencyEntry): readonly Destination[] {
    const given = this.#verified[account]!.get(currency.name);
    if (given !== undefined) return given;
    return currency.chains.map((chain) => {
      const seed = this.#path('withdrawal', account, { currency, chain });
      const memo = chain.usesMemo ? memoFrom(seed, 0) : undefined;
      return { chain, address: addressFrom(seed, chain.mainChain), memo };
    });
  }

  /** The deposit address that a text is, with its account; undefined if it is none. */
  ownerOf(currency: CurrencyEntry, text: string): OwnDestination | undefined {
    const byText = getOrInsert(this.#deposits, currency, () => {
      const all = this.#holders.flatMap((_, account) => this.deposit(account, currency));
      return new Map(all.map((destination) => [textOf(destination), destination]));
    });
    return byText.get(text);
  }

  #destination(account: number, currency: CurrencyEntry, chain: Chain): OwnDestination {
    if (!chain.usesMemo) {
      const seed = this.#path('deposit', account, { currency, chain });
      return { account, chain, address: addressFrom(seed, chain.mainChain), memo: undefined };
    }
    const seed = `${this.#seed}/deposit/${currency.name}/${chain.name}`;
    const address = addressFrom(seed, chain.mainChain);
    return { account, chain, address, memo: memoFrom(seed, account) };
  }

  #path(
    kind: 'deposit' | 'withdrawal',
    account: number,
    { currency, chain }: { currency: CurrencyEntry; chain: Chain },
  ): string {
    const { name } = this.#holders[account]!;
    return `${this.#seed}/${kind}/${JSON.stringify(name)}/${currency.name}/${chain.name}`;
  }
}

/** A memo that no other account has with the same seed. */
function memoFrom(seed: string, account: number): string {
  return String(FIRST_MEMO + seededRandom(`${seed}/memo`).integer(8 * FIRST_MEMO) + account);
}

function verifiedOf(
  catalogue: Catalogue,
  name: string,
  given: readonly VerifiedAddress[],
): Destination[] {
  const { chains } = knownIn(catalogue, name);
  return given.map(({ address, memo, chain: chainName = chains[0].name }) => {
    const chain = chains.find((one) => one.name === chainName);
    if (chain === undefined) throw unusable(name, `there is no chain ${chainName}`);
    if (chain.usesMemo !== (memo !== undefined)) {
      throw unusable(
        name,
        `the chain ${chainName} ${chain.usesMemo ? 'needs a' : 'knows no'} memo`,
      );
    }
    return { chain, address, memo };
  });
}

function knownIn(catalogue: Catalogue, name: string): CurrencyEntry {
  const currency = catalogue.get(name);
  if (currency === undefined) throw unusable(name, 'the exchange has no such currency');
  return currency;
}

function unusable(currency: string, why: string): SimulationError {
  return new SimulationError(
    `Cannot keep an address of ${currency}: ${why}, one that money can move on is wanted`,
  );
}
