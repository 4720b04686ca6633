import { type Random, SECOND_MS, type VirtualClock } from '../../src/kernel/index.ts';
import type { HttpTransport, SocketTransport } from '../../src/venues/zb/client/index.ts';
import type { ZbServer } from '../../src/venues/zb/server/index.ts';
import { CALM, type Weather } from './faults.ts';
import { VirtualHttp } from './virtual-http.ts';
import type { VirtualProcess } from './virtual-process.ts';
import { VirtualSocket } from './virtual-socket.ts';

/** A request that reaches the exchange. */
export interface Arrival {
  readonly target: string;
  /** The process that sent it. */
  readonly sender: VirtualProcess;
  /** When it left. */
  readonly departedMs: number;
}

/** A request that the exchange has answered. */
export interface Handled extends Arrival {
  readonly body: string;
  /** Whether the exchange had it before: somebody on the way sent it twice. */
  readonly isRepeat: boolean;
}

/** Which of the answers to a request that arrives twice comes back. */
export type Twice = 'first' | 'second';

export interface VirtualNetworkOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly server: ZbServer;
  /** Told of every request that the exchange has answered, whoever hears of it. */
  readonly onHandled?: (handled: Handled) => void;
}

/** Where signed requests go, by a way of their own. */
export const TRADE_URL = 'https://trade.exchange.test';
/** The address that the exchange sees. */
const ADDRESS = '10.1.2.3';
/** After what time somebody repeats a request. */
const REPEAT_MS = 5;
/** A browser's name, as the exchange demands. Source: contract, Authentication 6. */
const USER_AGENT = 'Mozilla/5.0';

/** The network between processes and one exchange; how it behaves is its weather. */
export class VirtualNetwork {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly #options: VirtualNetworkOptions;
  readonly #sockets = new Set<VirtualSocket>();
  weather: Weather = CALM;
  /** What the exchange says instead of acting; undefined: it acts. */
  intercept: (target: string) => string | undefined = () => undefined;
  /** Whether somebody on the way sends the request twice; the answer is that to the second. */
  repeats: (target: string) => boolean = () => false;
  /** When requests arrived for the second time within the last second. */
  #repeatTimes: number[] = [];
  #repeatsHighest = 0;
  #repeats = 0;
  #stalledUntilMs = Number.NEGATIVE_INFINITY;
  #tradeStalledUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: VirtualNetworkOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.random = options.random;
  }

  /** HTTP for one process, for each base address. */
  http(process: VirtualProcess): (baseUrl: string) => HttpTransport {
    return (baseUrl) => new VirtualHttp(this, { process, isTrade: baseUrl === TRADE_URL });
  }

  /** WebSockets for one process. */
  sockets(process: VirtualProcess): SocketTransport {
    return {
      open: (_url, events) => {
        const socket = new VirtualSocket(this, { process, events });
        this.#sockets.add(socket);
        return socket;
      },
    };
  }

  /** Nothing arrives anywhere until then; it is not lost. `tradeOnly`: market data and pushes do. */
  stall(durationMs: number, { tradeOnly = false } = {}): void {
    const untilMs = this.clock.now() + durationMs;
    this.#tradeStalledUntilMs = Math.max(this.#tradeStalledUntilMs, untilMs);
    if (!tradeOnly) this.#stalledUntilMs = Math.max(this.#stalledUntilMs, untilMs);
  }

  /** All push connections fall silent for ever, and nobody is told. */
  silenceSockets(): void {
    for (const socket of this.#sockets) socket.die();
  }

  /** The exchange ends all push connections. */
  restartSockets(): void {
    for (const socket of this.#sockets) socket.end('server restarts');
  }

  /** The operating system ends the connections of a process that is gone. */
  abandon(process: VirtualProcess): void {
    for (const socket of this.#sockets) if (socket.isOf(process)) socket.terminate();
  }

  forget(socket: VirtualSocket): void {
    this.#sockets.delete(socket);
  }

  /** One way, as long as the weather makes it. */
  drawDelayMs(): number {
    const { delayMs } = this.weather;
    return 1 + Math.min(20 * delayMs, Math.round(this.random.exponential(delayMs)));
  }

  /** Lets something arrive after a while, later where the network stands still. */
  travel(delayMs: number, arrive: () => void, { isTrade = false } = {}): void {
    this.clock.schedule(() => {
      const stalledUntilMs = isTrade ? this.#tradeStalledUntilMs : this.#stalledUntilMs;
      const restMs = stalledUntilMs - this.clock.now();
      if (restMs > 0) this.travel(restMs, arrive, { isTrade });
      else arrive();
    }, delayMs);
  }

  /** What somebody on the way has repeated: all of it, and the most within a second. */
  get repeated(): { readonly count: number; readonly highest: number } {
    return { count: this.#repeats, highest: this.#repeatsHighest };
  }

  /** A request arrives, or two. */
  handle(arrival: Arrival, answered: (body: string) => void, told?: Twice): void {
    const twice = told ?? (this.repeats(arrival.target) ? 'second' : undefined);
    const unheard = (): void => {};
    this.#take(arrival, twice === 'second' ? unheard : answered);
    if (twice === undefined) return;
    this.clock.schedule(() => {
      this.#countRepeat();
      this.#take({ ...arrival, isRepeat: true }, twice === 'first' ? unheard : answered);
    }, REPEAT_MS);
  }

  #countRepeat(): void {
    const nowMs = this.clock.now();
    this.#repeats++;
    this.#repeatTimes = this.#repeatTimes.filter((time) => time > nowMs - SECOND_MS);
    this.#repeatTimes.push(nowMs);
    this.#repeatsHighest = Math.max(this.#repeatsHighest, this.#repeatTimes.length);
  }

  /** The exchange takes a request. */
  #take(
    { isRepeat = false, ...arrival }: Arrival & { readonly isRepeat?: boolean },
    answered: (body: string) => void,
  ): void {
    const { target, departedMs, sender } = arrival;
    const instead = this.intercept(target);
    if (instead !== undefined) {
      answered(instead);
      return;
    }
    const request = { target, address: ADDRESS, userAgent: USER_AGENT };
    this.#options.server.handle(request).subscribe(({ body }) => {
      this.#options.onHandled?.({ target, departedMs, sender, body, isRepeat });
      answered(body);
    });
  }

  /** The exchange takes a push connection. */
  accept(connection: Parameters<ZbServer['open']>[0]) {
    return this.#options.server.open(connection, ADDRESS);
  }

  /** Whether something that happens so often a minute happens within this second. */
  happens(perMinute: number): boolean {
    return this.random.next() < (perMinute * SECOND_MS) / 60_000;
  }
}
