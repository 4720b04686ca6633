import { BehaviorSubject, type Observable, type Subscription } from 'rxjs';
import { type Clock, elapsedMs, formatDuration, type Logger } from '../../../../kernel/index.ts';

/** A channel, and the market of its frames if it serves several. */
export interface ChannelName {
  readonly channel: string;
  readonly market?: string;
}

export interface NeededChannelsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a channel that should push may be silent, milliseconds. */
  readonly patienceMs: number;
}

/** What is known about one channel on the present connection. */
interface Watched {
  readonly name: ChannelName;
  /** Sends the subscription. */
  readonly begin: () => void;
  /** When it last pushed, in elapsed time. */
  heardMs: number;
  /** Since when a change of the account has not been pushed, in elapsed time. */
  owedMs: number | undefined;
  /** Whether the subscription was sent a second time since it began. */
  isAskedAgain: boolean;
  timer: Subscription | undefined;
}

/**
 * Notices when a channel that an account needs is refused, or deaf: its subscription, or the answer
 * that refused it, got lost.
 *
 * Success may be answered or not (wire facts, WebSocket), and an account that does not change
 * pushes nothing, so that silence alone proves nothing. A silent channel is subscribed once more
 * after a while. It is deaf if the account changed and it pushed nothing for `patienceMs` before
 * and after: then it is subscribed again, and again as long as that goes on.
 */
export class NeededChannels {
  readonly #options: NeededChannelsOptions;
  readonly #watched = new Map<string, Watched>();
  /** Why channels push nothing, by key. A refusal does not say which of its markets it is for. */
  readonly #reasons = new Map<string, string>();
  readonly #trouble = new BehaviorSubject<string | undefined>(undefined);

  /** Why the account's pushes do not come, undefined while they do: now and after changes. */
  readonly trouble: Observable<string | undefined> = this.#trouble.asObservable();

  constructor(options: NeededChannelsOptions) {
    this.#options = options;
  }

  /** It was subscribed on this connection: what was known is void. `begin` subscribes again. */
  begun(name: ChannelName, begin: () => void): void {
    this.#watched.get(keyOf(name))?.timer?.unsubscribe();
    const heardMs = Number.NEGATIVE_INFINITY;
    const fresh = { heardMs, owedMs: undefined, isAskedAgain: false, timer: undefined };
    const watched: Watched = { name, begin, ...fresh };
    this.#watched.set(keyOf(name), watched);
    this.#wait(watched);
  }

  /** It has no listeners any more. */
  forget(name: ChannelName): void {
    this.#watched.get(keyOf(name))?.timer?.unsubscribe();
    this.#watched.delete(keyOf(name));
    this.#forgive(keyOf(name));
  }

  /** The connection is gone. */
  forgetAll(): void {
    for (const { timer } of this.#watched.values()) timer?.unsubscribe();
    this.#watched.clear();
    this.#reasons.clear();
    this.#tell();
  }

  /** The channel of that key pushed data, which also proves that a refusal has passed. */
  heard(key: string): void {
    const watched = this.#watched.get(key);
    if (watched === undefined) return;
    watched.heardMs = elapsedMs(this.#options.clock);
    watched.owedMs = undefined;
    watched.timer?.unsubscribe();
    watched.timer = undefined;
    this.#forgive(key);
  }

  /** The account changed: the channel of that key should push that. */
  changed(key: string): void {
    const watched = this.#watched.get(key);
    if (watched === undefined || watched.owedMs !== undefined) return;
    const { clock, patienceMs } = this.#options;
    const nowMs = elapsedMs(clock);
    if (nowMs - watched.heardMs < patienceMs) return;
    watched.owedMs = nowMs;
    if (watched.timer === undefined) this.#wait(watched);
  }

  /** The exchange accepted a subscription; with several markets nobody knows which. */
  taken(channel: string): void {
    const [one, ...others] = this.#watchedOf(channel);
    if (one === undefined || others.length > 0) return;
    const key = keyOf(one.name);
    if (one.name.market === undefined) this.heard(key);
    else this.#forgive(key);
  }

  /** The exchange refuses the channel, in one of its markets if it serves several. */
  refused(channel: string, reason: string): void {
    for (const watched of this.#watchedOf(channel)) {
      watched.timer?.unsubscribe();
      watched.timer = undefined;
      this.#reasons.set(keyOf(watched.name), `${channel} refused: ${reason}`);
    }
    this.#tell();
  }

  /** What is known about the channel, in each of its markets. */
  #watchedOf(channel: string): Watched[] {
    return [...this.#watched.values()].filter(({ name }) => name.channel === channel);
  }

  #wait(watched: Watched, waitMs = this.#options.patienceMs): void {
    watched.timer = this.#options.clock.schedule(() => this.#due(watched), waitMs);
  }

  #due(watched: Watched): void {
    const { clock, patienceMs } = this.#options;
    const { name, owedMs, isAskedAgain } = watched;
    watched.timer = undefined;
    const restMs = owedMs === undefined ? 0 : owedMs + patienceMs - elapsedMs(clock);
    if (restMs > 0) this.#wait(watched, restMs);
    else if (owedMs !== undefined) this.#blame(watched);
    else {
      this.#forgive(keyOf(name));
      if (!isAskedAgain) this.#askAgain(watched);
    }
  }

  #askAgain(watched: Watched): void {
    watched.isAskedAgain = true;
    watched.begin();
  }

  /**
   * Reports a deaf channel and subscribes again. It is forgiven after `patienceMs` in which no
   * further change was left unpushed.
   */
  #blame(watched: Watched): void {
    const { logger, patienceMs } = this.#options;
    const key = keyOf(watched.name);
    logger.warn(watched.name, 'push channel is deaf');
    const silence = `told nothing for ${formatDuration(patienceMs)}`;
    this.#reasons.set(key, `${key} ${silence} though the account changed`);
    this.#tell();
    watched.owedMs = undefined;
    this.#wait(watched);
    this.#askAgain(watched);
  }

  #forgive(key: string): void {
    if (this.#reasons.size === 0) return;
    this.#reasons.delete(key);
    this.#tell();
  }

  #tell(): void {
    const [first] = this.#reasons.values();
    if (first !== this.#trouble.value) this.#trouble.next(first);
  }
}

/** The key of a channel, with its market if it has one. */
export function keyOf({ channel, market }: ChannelName): string {
  return market === undefined ? channel : `${channel} ${market}`;
}
