import type { Intent, Side } from '../../src/domain/index.ts';
import { amount, type ModelOrder, price } from './exchange-model.ts';
import { type BenchOptions, depthOf, MARKET, quotes, target } from './fixture.ts';
import { Ordeal } from './ordeal.ts';

const LIMITS = { requestsPerSecond: 60, requestsPerMinute: 10_000, candleIntervalMs: 1_000 };
const STRATEGY = 'maker';
const STEPS = 250;
/** Time until the last lost order is known to be gone and all that is wished then rests. */
const CALM_MS = 200_000;
const SETTLED_MS = 20_000;
/** Less than the least order, plus rounding errors of sums. */
const DUST = 0.01;
const HAIR = 1e-9;

/**
 * A strategy that never wishes to sell what it does not hold, without any limit of risk, against an
 * exchange and a network that do everything that hurts: targets of nothing and more, bids, orders to
 * buy, profit targets of what it knows to hold, by a tag and by quotes, priced anew time and again.
 */
export class LongOnly extends Ordeal {
  readonly #quotes: boolean;
  /** Whether the strategy wishes to hold anything. */
  #isIn = false;
  /** Whether a single order that sells is wished, or was. */
  #isTakingProfit = false;
  readonly #log: string[] = [];

  /** @param quotes Whether it also sells what it knows to hold by quotes. Default: false. */
  constructor(seed: number, { quotes: asks = false } = {}) {
    super({ seed: `long only ${seed}`, markets: [MARKET], limits: LIMITS });
    this.#quotes = asks;
    this.model.pushDelayMs = this.chance(0.5) ? undefined : 50;
    this.model.fate = (operation, what) => {
      if (operation === 'place' || operation === 'cancel') this.#note(operation, what);
      return this.fateOf(operation);
    };
    this.model.onPlaced = ({ record }) => this.#tradedAtOnce(record);
    this.begin();
  }

  /** Whether the exchange seemed to place orders twice, which halts trading. */
  get isHalted(): boolean {
    return this.bench.halts.length > 0;
  }

  /** The true position, by the exchange's books. */
  get held(): number {
    return this.model.orders.reduce((sum, { record: { side, filledAmount } }) => {
      return sum + (side === 'buy' ? filledAmount : -filledAmount);
    }, 0);
  }

  /** How many orders the exchange has had. */
  get orders(): number {
    return this.model.orders.length;
  }

  /** The newest wishes and requests, for a report. */
  get story(): string {
    return this.#log.slice(-60).join('\n');
  }

  /** Everything that hurts, then a calm in which it gets out. @throws when it is ever short. */
  run(): void {
    for (let step = 0; step < STEPS; step++) {
      this.#act();
      this.pass(this.chance(0.3) ? 0 : this.random.integer(700));
    }
    this.isFaulty = false;
    this.pass(CALM_MS);
    for (const tag of ['entry', 'profit']) this.wish({ kind: 'cancel', market: MARKET.id, tag });
    this.wish(quotes([]));
    this.pass(SETTLED_MS);
    this.model.onPlaced = ({ record }) => record.amount;
    this.wish(target(0));
    this.pass(SETTLED_MS);
  }

  /** Lets time pass in which nothing is wished. */
  rest(): void {
    this.pass(SETTLED_MS);
  }

  /** Whether the amount is no more than dust that nobody can sell. */
  static isDust(held: number): boolean {
    return Math.abs(held) < DUST;
  }

  #act(): void {
    const draw = this.random.next();
    if (draw < 0.12) this.#hold(target(1 + this.random.integer(4)));
    else if (draw < 0.26) this.#getOut();
    else if (draw < 0.36) this.#hold(quotes(this.#bids()));
    else if (draw < 0.44) this.#enter();
    else if (draw < 0.48) this.#takeBack();
    else if (draw < 0.6) this.#takeProfit();
    else if (this.#quotes && draw < 0.68) this.#askForAll();
    else if (draw < 0.75) this.fillSome();
    else if (draw < 0.77) this.endSome();
    else if (draw < 0.775) this.stall();
    else if (draw < 0.785) this.restart();
  }

  #hold(intent: Intent): void {
    this.#isIn = true;
    this.wish(intent);
  }

  #getOut(): void {
    this.#isIn = false;
    this.wish(target(0));
  }

  #bids() {
    const levels = 1 + this.random.integer(3);
    return Array.from(
      { length: levels },
      (_, level) => [99 - level, 1 + this.random.integer(2)] as const,
    );
  }

  #enter(): void {
    const type = (['limit', 'ioc', 'postOnly'] as const)[this.random.integer(3)]!;
    const terms = { at: 99 + this.random.integer(3), of: 1 + this.random.integer(2) };
    this.#order('entry', { side: 'buy', type, ...terms });
  }

  #takeBack(): void {
    const tag = this.chance(0.5) ? 'entry' : 'profit';
    if (tag === 'profit') this.#isTakingProfit = false;
    this.wish({ kind: 'cancel', market: MARKET.id, tag });
  }

  /** Sells all that it knows to hold and has no other order to sell for. */
  #takeProfit(): void {
    const known = this.bench.held(STRATEGY);
    const isSelling = this.bench
      .live()
      .some(({ side, tag }) => side === 'sell' && tag !== 'profit');
    const [standing] = this.standing.values();
    const isAsking = standing?.kind === 'quotes' && standing.asks.length > 0;
    if (!this.#isIn || known < 1 || isSelling || isAsking) return;
    const at = 102 + this.random.integer(3);
    this.#isTakingProfit = true;
    this.#order('profit', { side: 'sell', type: 'limit', at, of: known });
  }

  /** Sells by one or two quotes all that it knows to hold, where no single order sells it. */
  #askForAll(): void {
    const known = this.bench.held(STRATEGY);
    const isSelling = this.bench
      .live()
      .some(({ side, tag }) => side === 'sell' && tag === 'profit');
    if (!this.#isIn || known < 1 || isSelling || this.#isTakingProfit) return;
    const at = 102 + this.random.integer(3);
    const half = Math.floor(known * 50) / 100;
    const levels = this.chance(0.5)
      ? [[at, known] as const]
      : [[at, half] as const, [at + 1, known - half] as const];
    this.wish(quotes([], levels));
  }

  #order(
    tag: string,
    terms: { side: Side; type: 'limit' | 'ioc' | 'postOnly'; at: number; of: number },
  ): void {
    const { side, type, at, of } = terms;
    const shared = { kind: 'order', market: MARKET.id, tag, side, type } as const;
    this.wish({ ...shared, price: price(at), amount: amount(of) });
  }

  protected override wish(intent: Intent): void {
    this.#note('wish', intent);
    super.wish(intent, STRATEGY);
  }

  protected override restart(): void {
    this.#note('restart', '');
    this.#isTakingProfit = false;
    super.restart();
  }

  protected override options(): BenchOptions {
    return { config: { targetRetryMs: 300 } };
  }

  protected override begin(): void {
    super.begin();
    this.bench.depths.set(MARKET.id, depthOf(100, 101));
  }

  #tradedAtOnce({ type, amount: all }: ModelOrder['record']): number {
    return this.one({ ioc: [all, all, all / 2, 0], limit: [0, 0, all / 2], postOnly: [0] }[type]);
  }

  protected override check(): void {
    if (this.held < -HAIR) throw new Error(`Cannot be short: ${this.held}, nothing is wanted`);
  }

  #note(what: string, detail: unknown): void {
    this.#log.push(`${this.clock.now()} ${what} ${JSON.stringify(detail)} held ${this.held}`);
  }
}
