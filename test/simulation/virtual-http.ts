import { Observable, type Subscriber } from 'rxjs';
import { ExchangeFailure } from '../../src/exchange/index.ts';
import type { HttpTransport } from '../../src/venues/zb/client/index.ts';
import type { WireAnswer } from '../../src/venues/zb/wire/index.ts';
import { drawFault, type RequestFault } from './faults.ts';
import type { Twice, VirtualNetwork } from './virtual-network.ts';
import type { VirtualProcess } from './virtual-process.ts';

/** As the real transport does it by default. */
const TIMEOUT_MS = 5_000;
const CONNECTIONS = 8;
/** How long somebody on the way may hold a request that was given up: no packet lives longer. */
const HELD_MAX_MS = 120_000;
/** The first pause before the kernel sends again what got lost, and how often it may. */
const RESEND_MS = 200;
const RESENDS_MAX = 6;

const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>';
/** Source: wire facts, overloaded servers. */
const BUSY = [
  '{"result":false,"message":"服务端忙碌"}',
  '{"code":1001,"message":"响应超时"}',
  '{"code":1002,"message":"Internal error"}',
];

/** What the network makes of one request. */
interface Course {
  /** When the kernel sends what gets through, after it got lost. Default: at once. */
  readonly resendMs?: number;
  readonly thereMs: number;
  /** Undefined: it never arrives. */
  readonly arrives: boolean;
  /** Whether it arrives once more, and which answer comes back then. */
  readonly twice?: Twice;
  readonly backMs: number;
  /** What comes back for the exchange's answer; undefined: nothing does. */
  readonly reply: (body: string) => Reply | undefined;
}

type Reply = { readonly status: number; readonly body: string; readonly times?: number } | 'reset';

interface Call {
  readonly target: string;
  readonly sender: VirtualProcess;
  readonly subscriber: Subscriber<WireAnswer>;
  departedMs: number;
  sent: boolean;
  done: boolean;
  callOff: () => void;
}

/** The client's sockets to one address: one request at a time on each, given up when it is late. */
export class VirtualHttp implements HttpTransport {
  readonly #network: VirtualNetwork;
  readonly #process: VirtualProcess;
  readonly #way: { readonly isTrade: boolean };
  readonly #waiting: Call[] = [];
  #free = CONNECTIONS;

  constructor(
    network: VirtualNetwork,
    { process, isTrade }: { readonly process: VirtualProcess; readonly isTrade: boolean },
  ) {
    this.#network = network;
    this.#process = process;
    this.#way = { isTrade };
  }

  get(target: string): Observable<WireAnswer> {
    return new Observable((subscriber) => {
      if (!this.#process.alive) return;
      const fresh = { departedMs: Number.NaN, sent: false, done: false, callOff: () => {} };
      const call: Call = { target, subscriber, sender: this.#process, ...fresh };
      const deadline = this.#process.schedule(() => this.#expire(call), TIMEOUT_MS);
      call.callOff = () => deadline.unsubscribe();
      this.#waiting.push(call);
      this.#work();
    });
  }

  async close(): Promise<void> {}

  #travel(delayMs: number, arrive: () => void): void {
    this.#network.travel(delayMs, arrive, this.#way);
  }

  #work(): void {
    while (this.#free > 0 && this.#waiting.length > 0) this.#depart(this.#waiting.shift()!);
  }

  #depart(call: Call): void {
    if (call.done) return;
    this.#free--;
    const network = this.#network;
    call.departedMs = network.clock.now();
    const { random, weather } = network;
    const fault = drawFault(weather, { random, target: call.target });
    if (fault === 'refused') {
      this.#travel(network.drawDelayMs(), () => this.#deliver(call, 'reset'));
      return;
    }
    call.sent = true;
    const course = this.#courseOf(fault);
    const { resendMs, thereMs } = course;
    const leave = () => this.#travel(thereMs, () => this.#arrive(call, course));
    if (resendMs === undefined) leave();
    else this.#resend(call, { resendMs, leave });
  }

  /** The kernel does it, of a process that hangs or was killed too; a reset makes it forget. */
  #resend(call: Call, { resendMs, leave }: { resendMs: number; leave: () => void }): void {
    this.#network.clock.schedule(() => {
      if (!call.done) leave();
    }, resendMs);
  }

  #arrive(call: Call, { arrives, twice, backMs, reply }: Course): void {
    // Nobody waits for what a killed process has sent.
    const givenUpMs = Math.min(call.departedMs + TIMEOUT_MS, this.#process.diedMs);
    if (this.#network.clock.now() > givenUpMs + HELD_MAX_MS) return;
    const back = (body: string): void => {
      const answer = reply(body);
      if (answer === undefined) return;
      this.#travel(backMs, () => this.#deliver(call, answer));
    };
    if (arrives) this.#network.handle(call, back, twice);
    else back('');
  }

  #courseOf(fault: RequestFault | undefined): Course {
    const network = this.#network;
    const { random } = network;
    const thereMs = network.drawDelayMs();
    const backMs = network.drawDelayMs();
    const some = random.next() < 0.5;
    const ok = { thereMs, backMs, arrives: true, reply: (body: string) => ({ status: 200, body }) };
    switch (fault) {
      case 'resetBefore':
        return { ...ok, arrives: false, reply: () => 'reset' };
      case 'resetAfter':
        return { ...ok, reply: () => 'reset' };
      case 'lost':
        return { ...ok, arrives: false, reply: () => undefined };
      case 'silent':
        return { ...ok, reply: () => undefined };
      case 'slow':
        return { ...ok, backMs: 500 + random.integer(6_000) };
      case 'resent':
        return { ...ok, resendMs: RESEND_MS * (2 ** (1 + random.integer(RESENDS_MAX)) - 1) };
      case 'stuck':
        return { ...ok, thereMs: TIMEOUT_MS + random.integer(HELD_MAX_MS) };
      case 'truncated':
        return {
          ...ok,
          reply: (body) => ({ status: 200, body: body.slice(0, random.integer(body.length)) }),
        };
      case 'page':
        return { ...ok, arrives: some, reply: () => ({ status: 200, body: PAGE }) };
      case 'badGateway':
        return { ...ok, arrives: some, reply: () => ({ status: 502, body: PAGE }) };
      case 'busy': {
        const body = BUSY[random.integer(BUSY.length)]!;
        return { ...ok, arrives: some, reply: () => ({ status: 200, body }) };
      }
      case 'strangeCode':
        return { ...ok, arrives: some, reply: () => ({ status: 200, body: '{"code":7777}' }) };
      case 'limited': {
        const body = '{"code":4002,"message":"request too frequent"}';
        return { ...ok, arrives: false, reply: () => ({ status: 200, body }) };
      }
      case 'repeated':
        return { ...ok, reply: (body) => ({ status: 200, body, times: 2 }) };
      case 'duplicated':
        return { ...ok, twice: some ? 'first' : 'second' };
      default:
        return ok;
    }
  }

  #deliver(call: Call, reply: Reply): void {
    this.#process.deliver(() => {
      if (call.done) return;
      this.#finish(call);
      if (reply === 'reset') this.#fail(call, 'the connection was reset');
      else {
        const { status, body, times = 1 } = reply;
        for (let i = 0; i < times; i++) call.subscriber.next({ status, body });
        call.subscriber.complete();
      }
    });
  }

  #expire(call: Call): void {
    if (call.done) return;
    if (call.sent) this.#reopen(call);
    else call.done = true;
    this.#fail(call, `no answer within ${TIMEOUT_MS} ms`);
  }

  /**
   * The socket of a request that was given up is reset, and another opened in its place. What has
   * left of it is on its way still, and arrives.
   */
  #reopen(call: Call): void {
    call.done = true;
    this.#travel(2 * this.#network.drawDelayMs(), () => this.#release());
  }

  #finish(call: Call): void {
    call.done = true;
    call.callOff();
    this.#release();
  }

  #release(): void {
    this.#free++;
    this.#process.deliver(() => this.#work());
  }

  #fail({ sent, subscriber }: Call, reason: string): void {
    const kind = sent ? 'unknown' : 'unsent';
    subscriber.error(new ExchangeFailure(kind, `Cannot tell the outcome: ${reason}`));
  }
}
