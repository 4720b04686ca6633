import { type Logger, type Random, seededRandom, silentLogger } from '../../src/kernel/index.ts';
import { checkAgreement, checkGone, checkHoldings } from './agreement.ts';
import { CALM, drawWeather } from './faults.ts';
import { Violation } from './invariants.ts';
import { Supervisor } from './supervisor.ts';
import { World } from './world.ts';
import type { WorldOptions } from './world-options.ts';

/** What becomes of orders that a bot does not know. */
export type Policy = 'ignore' | 'adopt' | 'cancel';

const TROUBLE_MS = 60_000;
/** How long both trade on in the calm; one may be down yet. */
const CALM_MS = 60_000;
/**
 * Until both are up, two minutes until nothing can be under way any more, and a reading of all orders,
 * which finds those of others.
 */
const RECOVERY_MS = 250_000;
/** Longest time that a stop may take. Source: executor settings, `stopTimeoutMs`. */
const STOP_MS = 31_000;
/** Until the last timed cancel that a bot has called for has fired. */
const LAPSE_MS = 70_000;

/** One of the two, by itself. */
interface Seat {
  readonly name: string;
  readonly policy: Policy;
  readonly world: World;
  readonly supervisor: Supervisor;
  /** What it has warned of, or called an error. */
  readonly warnings: Set<string>;
  /** Orders of the other one that it has cancelled. */
  readonly cancelled: string[];
}

/**
 * Two bots on one account and market, each with a journal of its own: trouble, recovery, what each
 * holds, and a stop of the one that leaves the other alone where it is to.
 */
export class TwoBots {
  readonly seats: readonly [Seat, Seat];
  readonly log: string[] = [];
  readonly #random: Random;

  constructor(
    seed: string | number,
    { policies, ...shared }: WorldOptions & { readonly policies: readonly [Policy, Policy] },
  ) {
    this.#random = seededRandom(`two bots ${seed}`);
    const first = this.#seat('first', { policy: policies[0], seed, ...shared });
    // One that trades as the first does would be taken for it.
    const others = { seed: `${seed} too`, strategy: 'flood', floodPeriodMs: 3_000 } as const;
    const second = this.#seat(
      'second',
      { policy: policies[1], positionMax: 0.03, ...others, ...shared },
      first.world,
    );
    this.seats = [first, second];
    for (const seat of this.seats) this.#followCancels(seat);
  }

  run(): void {
    this.#advance(1_000);
    for (const { supervisor } of this.seats) {
      supervisor.boot();
      this.#advance(this.#random.integer(5_000));
    }
    this.#trouble();
    this.#recover();
    const [first, second] = this.seats;
    this.#stop(first);
    // What the one called for last must not take the other's orders.
    this.#advance(LAPSE_MS);
    this.#mustRest(second);
    this.#stop(second);
    for (const seat of this.seats) checkManners(seat);
  }

  #trouble(): void {
    const { venue } = this.seats[0].world;
    const endMs = venue.clock.now() + TROUBLE_MS;
    while (venue.clock.now() < endMs) {
      venue.network.weather = this.#random.next() < 0.4 ? CALM : drawWeather(this.#random);
      for (let act = 0; act < 10; act++) {
        if (this.#random.next() < 0.03) this.#kill(this.seats[this.#random.integer(2)]!);
        this.#advance(this.#random.integer(1_500));
      }
    }
  }

  #kill({ name, world, supervisor }: Seat): void {
    if (!world.isAlive) return;
    world.kill();
    const downMs = 1 + this.#random.integer([300, 3_000, 90_000][this.#random.integer(3)]!);
    this.#note(`${name} killed, down for ${downMs} ms`);
    world.clock.schedule(() => supervisor.boot(), downMs);
  }

  #recover(): void {
    this.#note('calm');
    this.seats[0].world.network.weather = CALM;
    this.#advance(CALM_MS);
    for (const { world } of this.seats) world.strategiesSpeak = false;
    this.seats[0].world.stillMarkets();
    this.#note('still');
    this.#advance(RECOVERY_MS);
    const isFight = this.seats.some(({ policy }) => policy === 'cancel');
    for (const { world } of this.seats) {
      // While one takes away what the other places, neither list is that of a moment.
      if (isFight) checkHoldings(world);
      else checkAgreement(world);
    }
  }

  #stop(seat: Seat): void {
    const { world, name } = seat;
    this.#note(`${name} stops`);
    let verified: boolean | undefined;
    world.stop((report) => {
      verified = report.verified;
    });
    const endMs = world.clock.now() + STOP_MS;
    while (verified === undefined && world.clock.now() < endMs) this.#advance(500);
    checkGone(world, verified);
    world.exit();
  }

  /** Orders that rest and that nobody is to touch rest on. */
  #mustRest({ world, name }: Seat): void {
    const { status } = world.life;
    if (status !== 'running') throw new Violation(`I7: the ${name} is ${status}`);
    const lapses = world.exchange.inspect('main').timedCancelsDue.size;
    if (world.books.ownOpen.length > 0 && lapses === 0)
      throw new Violation(`I3: nothing guards the orders of the ${name}`);
  }

  #advance(durationMs: number): void {
    for (let left = durationMs; left > 0; left -= 500) {
      this.seats[0].world.advance(Math.min(500, left));
      for (const seat of this.seats) this.#supervise(seat);
    }
  }

  #supervise(seat: Seat): void {
    const { world, supervisor, name } = seat;
    supervisor.check();
    if (!world.isAlive) return;
    if (world.life.status === 'failed') this.#kill(seat);
    if (!world.isAlive || world.bot.sources.state.state !== 'HALTED') return;
    // Requests that somebody on the way repeats halt it, orders of the other do not.
    const { twinCount } = world.books;
    if (twinCount < 2) throw new Violation(`I7: the ${name} is halted at ${twinCount} twins`);
    this.#note(`${name} is killed, and resumed by a person`);
    world.kill();
    supervisor.boot({ resume: true });
  }

  #seat(
    name: string,
    { policy, ...options }: WorldOptions & { readonly policy: Policy },
    beside?: World,
  ): Seat {
    const executor = { ...options.executor, foreignOrders: policy };
    const world = new World({ ...options, executor }, beside);
    const note = (text: string) => this.#note(`${name} ${text}`);
    const random = this.#random.fork(name);
    const warnings = new Set<string>();
    const keep: Logger['warn'] = (_, text) => void warnings.add(text);
    const isLevelEnabled = () => true;
    world.logger = { ...silentLogger, warn: keep, error: keep, isLevelEnabled };
    const supervisor = new Supervisor({ world, random, note });
    return { name, policy, world, supervisor, warnings, cancelled: [] };
  }

  #followCancels({ world, cancelled }: Seat): void {
    const [first, second] = this.seats;
    const other = world === first.world ? second.world : first.world;
    world.requestListeners.add((target) => {
      if (!target.startsWith('/api/cancelOrder?')) return;
      const id = new URLSearchParams(target.split('?')[1]).get('id');
      if (id !== null && other.books.isOwn(id)) cancelled.push(id);
    });
  }

  #note(text: string): void {
    this.log.push(`${this.seats?.[0].world.clock.now() ?? 0} ${text}`);
  }
}

/** Whoever is to ignore others has cancelled none of theirs, nor taken one for a copy of its own. */
function checkManners({ name, policy, cancelled, warnings, world }: Seat): void {
  if (policy === 'ignore' && cancelled.length > 0)
    throw new Violation(`the ${name} is to ignore others, and has cancelled ${cancelled}`);
  const sawTwins = warnings.values().some((text) => text.includes('an order of ours twice'));
  if (sawTwins && world.books.twinCount === 0)
    throw new Violation(`the ${name} has taken another's order for its own`);
}
