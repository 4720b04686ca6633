import { filter, merge, mergeMap, Subject } from 'rxjs';
import type { Intent, Market } from '../../src/domain/index.ts';
import type { StrategyInstance } from '../../src/engine/index.ts';
import type { Random } from '../../src/kernel/index.ts';
import { ADOPTED } from '../../src/ledger/index.ts';
import { cancel, target } from '../../src/strategy/index.ts';
import { broughtIn } from './agreement.ts';
import { Violation } from './invariants.ts';
import medley, { MEDLEY_KINDS, MEDLEY_TAGS } from './medley.ts';
import type { Supervisor, SupervisorParts } from './supervisor.ts';
import type { Cast } from './world.ts';
import { configOf, manyMarkets, type WorldOptions } from './world-options.ts';

/** A strategy of the deployment, and its markets. */
interface Member {
  readonly name: string;
  readonly kind: (typeof MEDLEY_KINDS)[number];
  readonly markets: readonly string[];
  readonly periodMs: number;
}

/** What all are to do in the end: take back their orders, then be flat. */
type Word = 'cancel' | 'flat';

/** Chance that a start is of the whole deployment, and that each part of it is in another one. */
const WHOLE = 0.4;
const MARKET_IN = 0.75;
const MEMBER_IN = 0.6;
/** Until orders that are taken back are gone, and until all is sold. */
const CANCELLED_MS = 5_000;
const FLAT_MS = 60_000;
/** Less than the least order at any price, what fees leave included, where the rules allow no less. */
const DUST = 0.002;
const DUST_WORTH = 1;
/** How far a price moves while something is held, at most. */
const PRICES_MOVE = 1.05;

export interface EnsembleParts extends SupervisorParts {
  readonly supervisor: Supervisor;
}

/**
 * Several strategies that share markets. A person takes some of them out at one start and back in at
 * another, markets too, stops the bot and starts it again, halts trading or has it reduce. In the end
 * all of them run, and each gets out of all that it holds. One of them at least wishes nothing short.
 */
export class Ensemble {
  readonly #parts: EnsembleParts;
  readonly #members: readonly Member[];
  #isWhole = false;
  /** Whether the life at hand is of the whole deployment. */
  #isAll = true;
  #isTightened = false;
  #words = new Subject<Word>();

  constructor(parts: EnsembleParts) {
    this.#parts = parts;
    const { world, random } = parts;
    const ids = world.options.markets.map(({ id }) => id);
    const count = 2 + random.integer(world.options.strategies - 1);
    this.#members = Array.from({ length: count }, (_, at) => ({
      name: `s${at}`,
      kind: at === 0 ? 'long' : MEDLEY_KINDS[random.integer(MEDLEY_KINDS.length)]!,
      markets: ids.filter((_id, of) => of === at % ids.length || random.next() < 0.6),
      periodMs: 300 + random.integer(1_500),
    }));
    world.cast = (listed) => this.#cast(listed);
  }

  /** Whether a person has halted trading, or has it reduce. */
  get isTightened(): boolean {
    return this.#isTightened;
  }

  /** A person does something. */
  act(): void {
    const { world, random, note, supervisor } = this.#parts;
    if (!world.isAlive) return;
    if (random.next() < 0.6) {
      supervisor.stop();
      return;
    }
    const state = random.next() < 0.5 ? 'HALTED' : 'REDUCING';
    note(state);
    this.#isTightened = true;
    const { process, bot } = world.life;
    process.deliver(() => bot.sources.state.set(state, 'a person'));
  }

  /** From now on starts are of the whole deployment; whether the life at hand is not. */
  makeWhole(): boolean {
    this.#isWhole = true;
    return !this.#isAll;
  }

  /** Has all get out of what they hold. @throws {Violation} when they do not. */
  getFlat(advance: (durationMs: number) => void): void {
    const { world, note } = this.#parts;
    note('all are to get out');
    const say = (word: Word) => world.life.process.deliver(() => this.#words.next(word));
    say('cancel');
    advance(CANCELLED_MS);
    say('flat');
    for (let leftMs = FLAT_MS; leftMs > 0 && this.#held().length > 0; leftMs -= 500) advance(500);
    const held = this.#held().join(', ');
    if (held !== '') throw new Violation(`I7: ${held} is held that was to be sold`);
    advance(CANCELLED_MS);
    const { length } = world.books.ownOpen.filter(({ market }) => world.venue.isListed(market));
    if (length > 0) throw new Violation(`I7: ${length} orders rest that nothing wishes`);
    const { openings } = world.books;
    advance(CANCELLED_MS);
    const more = world.books.openings - openings;
    if (more > 0) throw new Violation(`I7: ${more} orders more leave that nothing wishes`);
  }

  /** What must hold at any time. @throws {Violation} when one that only buys and gets out is short. */
  check(): void {
    const { world } = this.#parts;
    // Of two orders alike it is not told which of them bears the id.
    if (world.books.twinCount > 0) return;
    const long = this.#members.filter(({ kind }) => kind === 'long');
    for (const { id, amountScale } of world.options.markets) {
      const held = broughtIn(world, id);
      for (const { name } of long) {
        const amount = held.get(name)?.toNumber() ?? 0;
        if (amount < -(10 ** -amountScale))
          throw new Violation(`I4: ${name} has ${amount} of ${id}`);
      }
    }
  }

  /** What is held that is no dust. */
  #held(): readonly string[] {
    const { bot, venue } = this.#parts.world;
    return bot.sources.positions.held().flatMap(({ market, ofStrategy }) => {
      const rules = bot.sources.markets.get(market);
      // What is held where nothing is traded any more nobody can sell.
      if (rules === undefined || !venue.isListed(market)) return [];
      const { minAmount, minSize, amountScale } = rules;
      const step = 10 ** -amountScale;
      const least = Math.max(DUST, minAmount, step);
      const leastWorth = Math.max(DUST_WORTH, minSize * PRICES_MOVE);
      return [...ofStrategy].flatMap(([strategy, { amount, cost }]) => {
        const held = amount.abs().toNumber();
        const whole = Math.floor(held / step + 1e-9) * step;
        const isDust = whole < least || (cost.abs().toNumber() * whole) / held < leastWorth;
        return strategy === ADOPTED || isDust ? [] : `${amount} of ${market} by ${strategy}`;
      });
    });
  }

  #cast(listed: readonly Market[]): Cast {
    const { world, random, note } = this.#parts;
    this.#words = new Subject<Word>();
    this.#isAll = this.#isWhole || random.next() < WHOLE;
    const markets = this.#some(listed, MARKET_IN);
    const members = this.#some(this.#members, MEMBER_IN);
    const { executor } = world.options;
    const batch = 'batch' in executor && executor.batch && (this.#isAll || random.next() < 0.7);
    world.config = configOf({ ...world.options, executor: { ...executor, batch } });
    const strategies = members.flatMap((member) => this.#instanceOf(member, markets) ?? []);
    const told = strategies.map(
      ({ name, markets: own }) => `${name} in ${own.map(({ id }) => id)}`,
    );
    note(`deploys ${told.join(', ')} of ${markets.map(({ id }) => id)}`);
    return { markets, strategies };
  }

  /** All of a list, or some: at least one. */
  #some<T>(all: readonly T[], share: number): readonly T[] {
    if (this.#isAll) return all;
    const some = all.filter(() => this.#parts.random.next() < share);
    return some.length > 0 ? some : all.slice(0, 1);
  }

  #instanceOf(member: Member, traded: readonly Market[]): StrategyInstance | undefined {
    const { world } = this.#parts;
    const { name, kind, periodMs } = member;
    const markets = traded.filter(({ id }) => member.markets.includes(id));
    if (markets.length === 0) return undefined;
    const { positionMax, levels, postOnly } = world.options;
    const params = medley.params.parse({ positionMax, levels, postOnly, kind, periodMs });
    const spoken = medley as unknown as StrategyInstance['definition'];
    const words = this.#words;
    const obey = (word: Word): readonly Intent[] =>
      markets.flatMap((market): readonly Intent[] =>
        word === 'cancel'
          ? MEDLEY_TAGS.map((tag) => cancel(market, tag))
          : [target(market, 0, { slippage: 0.01 })],
      );
    const definition: StrategyInstance['definition'] = {
      ...spoken,
      run: (context) =>
        merge(
          spoken.run(context).pipe(filter(() => world.strategiesSpeak)),
          words.pipe(mergeMap(obey)),
        ),
    };
    return { name, params, markets, definition };
  }
}

/** The options of a world in which an ensemble trades. */
export function drawEnsemble(random: Random): WorldOptions {
  const one = <T>(...values: readonly T[]): T => values[random.integer(values.length)]!;
  const free = { maker: 0, taker: 0 };
  return {
    ...{ strategy: 'medley', strategies: 4, cancelWaitMs: 20_000 },
    markets: manyMarkets(one(1, 1, 2, 2, 3)),
    fees: one(free, { maker: 0, taker: 0.0007 }, { maker: 0.0003, taker: 0.0007 }),
    positionMax: one(0.05, 0.15),
  };
}
