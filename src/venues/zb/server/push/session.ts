import { type Observable, Subscription, tap } from 'rxjs';
import { CODES } from '../../../../exchange/index.ts';
import { type Logger, messageOf } from '../../../../kernel/index.ts';
import { PING, PONG } from '../../wire/frames.ts';
import { signedFrameText } from '../../wire/signing.ts';
import { isDefect, refusalOf, refuse } from '../answers.ts';
import { admit, keyOf, permit, verify } from '../authentication.ts';
import type { PushBounds } from '../config.ts';
import type { Key } from '../keys.ts';
import type { AccountChannels } from './account-channels.ts';
import { type Fields, readFields, textOf } from './fields.ts';
import { acceptedFrame, FRAME_CODES, type FrameHead, PONG_FRAME, refusalFrame } from './frames.ts';
import type { PublicChannels } from './public-channels.ts';

/** One peer, as far as a session needs it. */
export interface PushConnection {
  /** Sends a text frame; must not be called after `close`. */
  send(text: string): void;
  /** Answers a ping of the protocol; must not be called after `close` either. */
  pong(data: Uint8Array): void;
  /** Ends the connection at once; what is still to be sent is lost. */
  close(): void;
  /** Bytes that were sent but have not left yet. */
  readonly bufferedBytes: number;
}

/** What all sessions share. */
export interface SessionParts {
  readonly keys: ReadonlyMap<string, Key>;
  readonly logger: Logger;
  readonly bounds: PushBounds;
  readonly publicChannels: PublicChannels;
  readonly accountChannels: AccountChannels;
}

/** What identifies a subscription. Public channels have neither market nor access key. */
interface Name {
  readonly channel: string;
  readonly market: string;
  readonly accesskey: string;
}

/** A channel that the session listens to. */
interface Listening extends Name {
  readonly subscription: Subscription;
}

/** One WebSocket conversation: subscriptions, their frames, and pings. */
export class PushSession {
  readonly #connection: PushConnection;
  readonly #address: string;
  readonly #parts: SessionParts;
  readonly #listening = new Set<Listening>();
  /** Private channels whose last subscription was refused. */
  readonly #refused = new Set<string>();
  #ended = false;

  constructor(
    { connection, address }: { readonly connection: PushConnection; readonly address: string },
    parts: SessionParts,
  ) {
    this.#connection = connection;
    this.#address = address;
    this.#parts = parts;
  }

  /** Takes a text frame from the client; never throws. */
  receive(text: string): void {
    if (this.#ended) return;
    if (text.length > this.#parts.bounds.frameBytesMax) this.#drop('a frame is too long');
    else if (text === PING) this.#send(PONG);
    else this.#act(readFields(text));
  }

  /** Takes a ping of the protocol. Pongs, too, may pile up for a peer that does not read them. */
  ping(data: Uint8Array): void {
    if (this.#isRead()) this.#connection.pong(data);
  }

  /** Ends all subscriptions: the connection is gone. */
  end(): void {
    this.#ended = true;
    for (const { subscription } of this.#listening) subscription.unsubscribe();
    this.#listening.clear();
  }

  #act(fields: Fields | undefined): void {
    const head = headOf(fields ?? {});
    try {
      if (fields === undefined) refuse(CODES.invalidArguments, 'A flat JSON object is wanted');
      const { event } = fields;
      if (event !== 'addChannel' && event !== 'removeChannel') {
        refuse(FRAME_CODES.emptyEvent, 'Event is empty');
      }
      if (head.channel === '') refuse(FRAME_CODES.emptyChannel, 'Channel is empty');
      if (event === 'removeChannel') this.#unsubscribe(this.#nameOf(head, fields));
      else if (head.channel === PING) this.#send(PONG_FRAME);
      else this.#subscribe(head, fields);
    } catch (thrown) {
      this.#refuse(head, thrown);
    }
  }

  /** Subscribes to a channel; one that was subscribed before begins anew. */
  #subscribe(head: FrameHead, fields: Fields): void {
    const frames = this.#open(head, fields);
    const name = this.#nameOf(head, fields);
    this.#unsubscribe(name);
    if (this.#listening.size >= this.#parts.bounds.channelsMax) {
      refuse(CODES.general, 'Too many channels');
    }
    const subscription = new Subscription();
    const listening = { ...name, subscription };
    this.#listening.add(listening);
    subscription.add(() => this.#listening.delete(listening));
    subscription.add(
      frames.subscribe({
        next: (frame) => this.#send(frame),
        error: (thrown) => {
          subscription.unsubscribe();
          this.#refuse(head, thrown);
        },
        complete: () => subscription.unsubscribe(),
      }),
    );
  }

  #open(head: FrameHead, fields: Fields): Observable<string> {
    const { accountChannels, publicChannels } = this.#parts;
    const { channel } = head;
    const account = accountChannels.named(channel);
    if (account === undefined) return publicChannels.open(channel, fields);
    const key = this.#authenticate(fields, account.permission);
    const accepted = this.#isAnswered(head) ? acceptedFrame(head) : undefined;
    this.#refused.delete(channel);
    const frames = accountChannels.open(channel, { key, fields, accepted });
    // A key that gets disabled receives no more frames.
    return frames.pipe(tap(() => admit(key, this.#address)));
  }

  /**
   * Whether success is acknowledged: to a client that numbered its frame, or was refused before.
   *
   * The answer is optional (wire facts, WebSocket), and some clients take every frame of a private
   * channel for data: for them silence, or data, means success.
   */
  #isAnswered({ channel, no }: FrameHead): boolean {
    return no !== '' || this.#refused.has(channel);
  }

  /** The checks of a signed request, as far as they apply to a frame. */
  #authenticate(fields: Fields, permission: keyof Key['permissions']): Key {
    const { accesskey, sign } = fields;
    if (typeof accesskey !== 'string' || accesskey === '') {
      refuse(CODES.invalidArguments, 'Invalid arguments: accesskey is empty');
    }
    if (typeof sign !== 'string' || sign === '') {
      refuse(CODES.invalidArguments, 'Invalid arguments: sign is empty');
    }
    const key = keyOf(accesskey, this.#parts.keys);
    admit(key, this.#address);
    verify(key, { text: signedFrameText(fields), signature: sign });
    permit(key, permission);
    return key;
  }

  #nameOf({ channel }: FrameHead, fields: Fields): Name {
    const account = this.#parts.accountChannels.named(channel);
    return {
      channel,
      market: account?.perMarket ? textOf(fields.market) : '',
      accesskey: account === undefined ? '' : textOf(fields.accesskey),
    };
  }

  /** Ends the subscriptions of a name; an empty market or key means all of them. */
  #unsubscribe({ channel, market, accesskey }: Name): void {
    for (const listening of this.#listening) {
      const isMeant =
        listening.channel === channel &&
        (market === '' || listening.market === market) &&
        (accesskey === '' || listening.accesskey === accesskey);
      if (isMeant) listening.subscription.unsubscribe();
    }
  }

  #refuse(head: FrameHead, thrown: unknown): void {
    const { accountChannels, logger } = this.#parts;
    if (accountChannels.named(head.channel) !== undefined) this.#refused.add(head.channel);
    if (isDefect(thrown)) {
      const fields = { channel: head.channel, error: messageOf(thrown) };
      logger.error(fields, 'a channel could not be served');
    }
    this.#send(refusalFrame(head, refusalOf(thrown)));
  }

  #send(frame: string): void {
    if (this.#isRead()) this.#connection.send(frame);
  }

  /** Whether the peer is there and reads its frames; one that does not read is dropped. */
  #isRead(): boolean {
    if (this.#ended) return false;
    if (this.#connection.bufferedBytes <= this.#parts.bounds.bufferedBytesMax) return true;
    this.#drop('it reads too slowly');
    return false;
  }

  #drop(reason: string): void {
    const { bufferedBytes } = this.#connection;
    const fields = { address: this.#address, reason, bufferedBytes };
    this.#parts.logger.warn(fields, 'push connection dropped');
    this.end();
    this.#connection.close();
  }
}

function headOf({ channel, no }: Fields): FrameHead {
  return { channel: textOf(channel), no: textOf(no) };
}
