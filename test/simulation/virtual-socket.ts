import type { Socket, SocketEvents } from '../../src/venues/zb/client/index.ts';
import type { PushSession } from '../../src/venues/zb/server/index.ts';
import type { VirtualNetwork } from './virtual-network.ts';
import type { VirtualProcess } from './virtual-process.ts';

const CHANNEL = /"channel":"([^"]*)"/;

/** One push connection of a process, and everything that can go wrong with it. */
export class VirtualSocket implements Socket {
  readonly #network: VirtualNetwork;
  readonly #process: VirtualProcess;
  readonly #events: SocketEvents;
  /** When the last frame of each channel arrives: channels keep their own order only. */
  readonly #arrivals = new Map<string, number>();
  readonly #lags = new Map<string, number>();
  #session: Pick<PushSession, 'receive' | 'end'> | undefined;
  /** Both sides believe in it, but nothing passes any more. */
  #dead = false;
  #ended = false;

  constructor(
    network: VirtualNetwork,
    { process, events }: { readonly process: VirtualProcess; readonly events: SocketEvents },
  ) {
    this.#network = network;
    this.#process = process;
    this.#events = events;
    const { refused, mute, shut } = network.weather.pushes;
    const draw = network.random.next();
    if (draw < refused) this.#close('refused');
    else network.travel(network.drawDelayMs(), () => this.#accept());
    this.#dead = draw >= refused && draw < refused + mute;
    if (draw >= refused + mute && draw < refused + mute + shut) {
      network.travel(network.random.integer(400), () => this.end('shut at once'));
    }
  }

  isOf(process: VirtualProcess): boolean {
    return this.#process === process;
  }

  send(text: string): void {
    const { weather, random } = this.#network;
    const isPrivate = text.includes('"push_user_') && text.includes('"addChannel"');
    const refused = isPrivate && random.next() < weather.pushes.channelRefused;
    this.#network.travel(this.#network.drawDelayMs(), () => {
      if (this.#ended || this.#dead) return;
      if (refused) this.#toClient(refusalOf(text));
      else this.#session?.receive(text);
    });
  }

  /** The client shuts it: it hears nothing more. */
  terminate(): void {
    this.#leave();
  }

  /** The exchange or the network shuts it. */
  end(reason: string): void {
    if (this.#ended) return;
    this.#leave();
    this.#close(reason);
  }

  /** From now on nothing passes, and nobody is told. */
  die(): void {
    this.#dead = true;
  }

  #accept(): void {
    if (this.#ended) return;
    this.#session = this.#network.accept({
      send: (text) => this.#toClient(text),
      pong: () => {},
      close: () => this.end('closed by the exchange'),
      bufferedBytes: 0,
    });
    this.#network.travel(this.#network.drawDelayMs(), () =>
      this.#tell(() => this.#events.opened()),
    );
    this.#age();
  }

  /** A connection ends or dies at some time. */
  #age(): void {
    this.#network.clock.schedule(() => {
      if (this.#ended) return;
      const { endsPerMinute, diesPerMinute } = this.#network.weather.pushes;
      if (this.#network.happens(endsPerMinute)) this.end('reset');
      else if (this.#network.happens(diesPerMinute)) this.die();
      this.#age();
    }, 1_000);
  }

  #toClient(text: string): void {
    if (this.#dead || this.#ended) return;
    const network = this.#network;
    const { dropped, repeated } = network.weather.pushes;
    if (network.random.next() < dropped) return;
    const times = network.random.next() < repeated ? 2 : 1;
    const channel = CHANNEL.exec(text)?.[1] ?? text;
    for (let i = 0; i < times; i++) {
      const { clock } = network;
      const delayMs = network.drawDelayMs() + this.#lagMs(channel);
      const arrivesMs = Math.max(this.#arrivals.get(channel) ?? 0, clock.now() + delayMs);
      this.#arrivals.set(channel, arrivesMs);
      network.travel(arrivesMs - clock.now(), () => this.#tell(() => this.#events.message(text)));
    }
  }

  #lagMs(channel: string): number {
    let lagMs = this.#lags.get(channel);
    if (lagMs === undefined) {
      lagMs = Math.round(this.#network.random.next() * this.#network.weather.pushes.lagMs);
      this.#lags.set(channel, lagMs);
    }
    return lagMs;
  }

  #tell(what: () => void): void {
    if (this.#dead || this.#ended) return;
    this.#process.deliver(() => {
      if (!this.#ended) what();
    });
  }

  #close(reason: string): void {
    this.#network.travel(this.#network.drawDelayMs(), () => {
      this.#process.deliver(() => this.#events.closed(reason));
    });
  }

  #leave(): void {
    this.#ended = true;
    this.#session?.end();
    this.#network.forget(this);
  }
}

function refusalOf(text: string): string {
  const channel = CHANNEL.exec(text)?.[1] ?? '';
  return `{"no":"0","code":1002,"success":false,"channel":"${channel}","message":"Internal error"}`;
}
