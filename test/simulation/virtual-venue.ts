import type { Subscription } from 'rxjs';
import type { ExchangeHost } from '../../src/exchange/index.ts';
import { type Random, seededRandom, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { SimulatedExchange } from '../../src/sim/index.ts';
import { type ZbServer, zbServer } from '../../src/venues/zb/server/index.ts';
import { PLACES_ORDERS } from './books.ts';
import { ChangingRules } from './changing-rules.ts';
import { CALM } from './faults.ts';
import { startMarkets } from './others.ts';
import { staleReads } from './stale-reads.ts';
import { type Handled, VirtualNetwork } from './virtual-network.ts';
import type { Settled } from './world-options.ts';

export const START_MS = Date.UTC(2024, 0, 1);
/** The account that is traded on. */
export const ACCOUNT = 'main';
const SECRET_KEY = '8e6bf0f8-4778-1100-5b27-93dfc969a091';
/** Keys of the account, one for each bot, so that it can be told whose a request is. */
export const KEYS = [
  'ce2a18e0-dshs-4c44-4515-9aca67dd706e',
  '5d1b7a44-0c1e-4f6e-9a55-7be1c2d90f13',
].map((accessKey) => ({ accessKey, secretKey: SECRET_KEY }));

/** One exchange on virtual time, the network to it, and everybody else who trades there. */
export class VirtualVenue {
  readonly clock = new VirtualClock(START_MS);
  readonly exchange: SimulatedExchange;
  readonly server: ZbServer;
  readonly network: VirtualNetwork;
  /** What the exchange asks of orders, as a start reads it. */
  readonly rules: ChangingRules;
  /** Told of every request that the exchange has answered. */
  readonly listeners = new Set<(handled: Handled) => void>();
  /** What must hold of each bot after every step. */
  readonly checks = new Set<() => void>();
  readonly #options: Settled;
  readonly #random: Random;
  readonly #gone = new Set<string>();
  readonly #others: readonly Subscription[];

  constructor(options: Settled) {
    const { markets, balances, readLagMs, dialect, fees, staleMs, repeats, seed } = options;
    const { clock } = this;
    this.#options = options;
    this.#random = seededRandom(seed);
    this.exchange = new SimulatedExchange({
      clock,
      markets,
      accounts: [{ name: ACCOUNT, balances }],
      fees,
      readLagMs,
      depthIntervalMs: 400,
    });
    const permissions = { assets: true, orders: true, withdrawals: false, margin: false };
    const keys = KEYS.map((key) => ({ ...key, account: ACCOUNT, permissions }));
    this.rules = new ChangingRules(markets);
    const host = this.rules.host(staleMs > 0 ? this.#staleExchange() : this.exchange);
    this.server = zbServer({ host, keys, clock, logger: silentLogger, dialect });
    this.network = new VirtualNetwork({
      clock,
      server: this.server,
      random: this.#random.fork('network'),
      onHandled: (handled) => {
        for (const listener of this.listeners) listener(handled);
      },
    });
    if (repeats > 0) this.#repeatOrders(repeats);
    this.#others = startMarkets(this.exchange, { clock, random: this.#random, markets });
  }

  /** Lets time pass and checks what must hold after every step. */
  advance(durationMs: number): void {
    const { clock } = this;
    const untilMs = clock.now() + durationMs;
    for (let due = clock.nextDueMs; due !== undefined && due <= untilMs; ) {
      clock.runNext();
      for (const check of this.checks) check();
      due = clock.nextDueMs;
    }
    clock.advanceTo(untilMs);
  }

  /** A market's coin is given up: its orders are cancelled, and nothing more is told of it. */
  delist(market: string): void {
    this.#gone.add(market);
    this.exchange.delist(market);
  }

  isListed(market: string): boolean {
    return !this.#gone.has(market);
  }

  /** Nobody else trades any more. */
  stillMarkets(): void {
    for (const others of this.#others) others.unsubscribe();
  }

  /** The exchange, reads of which lag behind. */
  #staleExchange(): ExchangeHost {
    const { clock } = this;
    const markets = this.#options.markets.map(({ id }) => id);
    const random = this.#random.fork('stale reads');
    const { staleMs } = this.#options;
    return staleReads(this.exchange, { clock, random, account: ACCOUNT, markets, staleMs });
  }

  /** Somebody on the way repeats requests for orders, so many of them. */
  #repeatOrders(share: number): void {
    const { network } = this;
    const random = this.#random.fork('repeats');
    network.repeats = (target) =>
      network.weather !== CALM && PLACES_ORDERS.test(target) && random.next() < share;
  }
}
