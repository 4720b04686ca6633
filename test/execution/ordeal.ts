import {
  type Fill,
  type FinalOrder,
  type Intent,
  isFinal,
  type PendingOrder,
  type QuotesIntent,
} from '../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import { type Random, seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import {
  amount,
  ExchangeModel,
  type Fate,
  type ModelOrder,
  type Operation,
} from './exchange-model.ts';
import { type Bench, type BenchOptions, createBench, quotes } from './fixture.ts';

const STALL_MS = 70_000;
/** How far back a restart knows orders and requests. */
const KNOWN_MS = 280_000;

interface OrdealOptions extends Required<Pick<BenchOptions, 'markets' | 'limits'>> {
  readonly seed: number | string;
}

/** A process and its successors, beside an exchange and a network that do everything that hurts. */
export abstract class Ordeal {
  protected readonly clock = new VirtualClock(1_700_000_000_000);
  protected readonly model: ExchangeModel;
  protected readonly random: Random;
  /** Whether faults occur, and whether nothing gets through at all. */
  protected isFaulty = true;
  protected isDeaf = false;
  /** The standing wishes, by strategy and market. */
  protected readonly standing = new Map<string, Intent>();
  /** The live process: see `begin`. */
  #bench: Bench | undefined;
  #lives = 0;
  #violation: unknown;
  readonly #markets: OrdealOptions['markets'];
  readonly #fills: Fill[] = [];
  readonly #sent: PendingOrder[] = [];
  readonly #ended = new Map<string, FinalOrder>();

  constructor({ seed, markets, limits }: OrdealOptions) {
    this.#markets = markets;
    this.random = seededRandom(seed);
    this.model = new ExchangeModel(this.clock, { markets, limits });
    this.model.readLagMs = 1_500;
  }

  protected get bench(): Bench {
    return this.#bench!;
  }

  /** How every process is set up. */
  protected abstract options(): BenchOptions;

  /** @throws where an invariant is violated. */
  protected abstract check(): void;

  /** Starts a process. */
  protected begin(): void {
    this.#bench = createBench({
      ...{ clock: this.clock, model: this.model, markets: this.#markets },
      ...{ idPrefix: `life${++this.#lives}`, ...this.options() },
    });
  }

  protected wish(intent: Intent, strategy: string): void {
    const { kind, market } = intent;
    if (kind === 'quotes' || kind === 'target') this.standing.set(`${strategy} ${market}`, intent);
    this.bench.wish(intent, strategy);
  }

  /** Up to three levels a side, in any market. */
  protected someQuotes(market: string): QuotesIntent {
    const side = (sign: number) =>
      Array.from({ length: this.random.integer(4) }, (_, level) => {
        const ticks = 1 + level * 3 + this.random.integer(3);
        return [100 + sign * ticks, 1 + this.random.integer(2)] as const;
      });
    return quotes(side(-1), side(1), { market, postOnly: this.chance(0.5) });
  }

  /** Lets time pass, and checks the invariants each second. */
  protected pass(durationMs: number): void {
    for (let left = durationMs; left >= 0; left -= 1_000) {
      this.clock.advanceBy(Math.min(1_000, left));
      if (this.#violation !== undefined) throw this.#violation;
      this.check();
    }
  }

  /**
   * Runs checks of leaving requests. Errors are kept for later: thrown here they would be taken for
   * failures of the network.
   */
  protected witness(look: () => void): void {
    try {
      look();
    } catch (thrown) {
      this.#violation ??= thrown;
    }
  }

  /** Lets nothing get through for longer than the timed cancel waits. */
  protected stall(): void {
    this.isDeaf = true;
    this.pass(STALL_MS);
    this.isDeaf = false;
  }

  protected fillSome(): void {
    const order = this.#anyOpen();
    if (order === undefined) return;
    this.model.fill(order, this.chance(0.5) ? undefined : amount(0.25));
    this.push(order);
  }

  protected endSome(): void {
    const order = this.#anyOpen();
    if (order === undefined) return;
    this.model.end(order);
    this.push(order);
  }

  /** Where the model does not push by itself, pushes some orders: late, twice or never. */
  protected push({ record }: ModelOrder): void {
    if (this.model.pushDelayMs !== undefined) return;
    for (let times = this.random.integer(3); times > 0; times--) {
      this.clock.schedule(() => this.model.pushes.next(record), this.random.integer(400));
    }
  }

  /** Draws the fate of a request: mostly good, now and then each thing that hurts. */
  protected fateOf(operation: Operation): Fate {
    const { random } = this;
    const thereMs = 1 + random.integer(60);
    const backMs = 1 + random.integer(60);
    if (this.isDeaf) return { thereMs, backMs: 900, loss: 'lost' };
    if (!this.isFaulty) return { thereMs, backMs };
    const draw = random.next();
    if (draw < 0.05) return { thereMs, backMs: 2_000, loss: 'lost' };
    if (draw < 0.1) return { thereMs, backMs: random.integer(5_000), loss: 'silent' };
    if (draw < 0.11) return { loss: 'dead' };
    if (draw < 0.13) return { loss: 'unsent' };
    if (draw < 0.15) return { thereMs, backMs, refusal: failure('limited', CODES.tooFrequent) };
    if (draw < 0.17 && operation !== 'orders') {
      return { thereMs, backMs, refusal: failure('rejected', CODES.balance) };
    }
    if (draw < 0.18) return { thereMs: random.integer(6_000), backMs };
    if (draw < 0.2) return { thereMs, backMs: random.integer(14_000) };
    return { thereMs, backMs };
  }

  /** Kill -9, and a new process that knows what the journal knew. */
  protected restart(): void {
    const former = this.bench;
    former.kill();
    const orders = former.live();
    const sinceMs = this.clock.now() - KNOWN_MS;
    this.#remember(former);
    this.clock.advanceBy(this.random.integer(this.chance(0.3) ? 90_000 : 2_000));
    this.begin();
    const { executor, positions, restore } = this.bench;
    for (const fill of this.#fills) positions.restore(fill);
    const requestTimes = former.ofKind('request').map(({ time }) => time);
    restore({
      ...{ orders, requestTimes: requestTimes.filter((time) => time > sinceMs) },
      pastExchangeOrderIds: this.#fills.map(({ exchangeOrderId }) => exchangeOrderId),
      recentOrders: this.#sent.filter(({ createdTime }) => createdTime > sinceMs),
      endedOrders: [...this.#ended.values()].filter(
        (order) => order.exchangeOrderId !== undefined && order.changedTime > sinceMs,
      ),
    });
    executor.reconcile('start');
    this.clock.advanceBy(100);
    for (const [key, intent] of this.standing) this.bench.wish(intent, key.split(' ')[0]);
  }

  #remember(former: Bench): void {
    this.#fills.push(...former.ofKind('fill').map(({ fill }) => fill));
    for (const { order } of former.ofKind('order')) {
      if (order.status === 'pending') this.#sent.push(order);
      if (isFinal(order)) this.#ended.set(order.clientOrderId, order);
      else this.#ended.delete(order.clientOrderId);
    }
  }

  #anyOpen(): ModelOrder | undefined {
    const { open } = this.model;
    return open[this.random.integer(Math.max(1, open.length))];
  }

  protected chance(share: number): boolean {
    return this.random.next() < share;
  }

  protected one<T>(values: readonly T[]): T {
    return values[this.random.integer(values.length)]!;
  }
}

function failure(kind: 'limited' | 'rejected', code: number): ExchangeFailure {
  return new ExchangeFailure(kind, `Cannot do it: ${kind}`, { code });
}
