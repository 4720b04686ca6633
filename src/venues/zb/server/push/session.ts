import { type Observable, Subscription } from 'rxjs';
import { CODES } from '../../../../exchange/index.ts';
import { type Logger, messageOf } from '../../../../kernel/index.ts';
import { PING, PONG } from '../../wire/frames.ts';
import { signedFrameText } from '../../wire/signing.ts';
import { isDefect, refusalOf, refuse } from '../answers.ts';
import { admit, keyOf, permit, verify } from '../authentication.ts';
import type { Key } from '../keys.ts';
import type { AccountChannels } from './account-channels.ts';
import { type Fields, readFields, textOf } from './fields.ts';
import { acceptedFrame, FRAME_CODES, type FrameHead, PONG_FRAME, refusalFrame } from './frames.ts';
import type { PublicChannels } from './public-channels.ts';

/** One peer, as little of it as a session needs. */
export interface PushConnection {
  /** Sends a text frame; must not be called after `close`. */
  send(text: string): void;
  /** Ends the connection at once, without waiting for what is still to be sent. */
  close(): void;
  /** Bytes that were sent but have not left yet. */
  readonly bufferedBytes: number;
}

/** What all sessions share. */
export interface SessionParts {
  readonly keys: ReadonlyMap<string, Key>;
  readonly logger: Logger;
  readonly publicChannels: PublicChannels;
  readonly accountChannels: AccountChannels;
}

/** Longest frame that a client may send, in characters. */
export const FRAME_LENGTH_MAX = 65_536;
/** Bytes that may wait for a slow reader before it is dropped. */
export const BUFFERED_BYTES_MAX = 4 * 1024 * 1024;
/** Channels that one session may listen to. */
export const CHANNELS_MAX = 1_000;

/** A channel that the session listens to. */
interface Listening {
  readonly channel: string;
  readonly market: string;
  readonly accesskey: string;
  readonly subscription: Subscription;
}

/** One WebSocket conversation: subscriptions, pings and the frames that they bring. */
export class PushSession {
  readonly #connection: PushConnection;
  readonly #address: string;
  readonly #parts: SessionParts;
  readonly #listening = new Set<Listening>();
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
    if (text.length > FRAME_LENGTH_MAX) this.#drop('a frame is too long');
    else if (text === PING) this.#send(PONG);
    else this.#act(readFields(text));
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
      if (fields.event === 'removeChannel') this.#unsubscribe(fields);
      else if (fields.event !== 'addChannel') refuse(FRAME_CODES.emptyEvent, 'Event is empty');
      else if (head.channel === PING) this.#send(PONG_FRAME);
      else this.#subscribe(head, fields);
    } catch (thrown) {
      this.#refuse(head, thrown);
    }
  }

  /** A channel that is asked for again begins anew. */
  #subscribe(head: FrameHead, fields: Fields): void {
    const frames = this.#open(head, fields);
    this.#unsubscribe(fields);
    if (this.#listening.size >= CHANNELS_MAX) refuse(CODES.general, 'Too many channels');
    const subscription = new Subscription();
    const listening = { ...nameOf(fields), subscription };
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
    const permission = accountChannels.permissionOf(head.channel);
    if (permission === undefined) return publicChannels.open(head.channel, fields);
    const key = this.#authenticate(fields, permission);
    return accountChannels.open(head.channel, { key, fields, accepted: acceptedFrame(head) });
  }

  /** The checks of a signed request, as far as a frame has what they look at. */
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

  /** Ends what the fields name; a market or key that is not named means all of them. */
  #unsubscribe(fields: Fields): void {
    const { channel, market, accesskey } = nameOf(fields);
    for (const listening of this.#listening) {
      const isMeant =
        listening.channel === channel &&
        (market === '' || listening.market === market) &&
        (accesskey === '' || listening.accesskey === accesskey);
      if (isMeant) listening.subscription.unsubscribe();
    }
  }

  #refuse(head: FrameHead, thrown: unknown): void {
    if (isDefect(thrown)) {
      const fields = { channel: head.channel, error: messageOf(thrown) };
      this.#parts.logger.error(fields, 'a channel could not be served');
    }
    this.#send(refusalFrame(head, refusalOf(thrown)));
  }

  #send(frame: string): void {
    if (this.#ended) return;
    if (this.#connection.bufferedBytes <= BUFFERED_BYTES_MAX) this.#connection.send(frame);
    else this.#drop('it reads too slowly');
  }

  #drop(reason: string): void {
    this.#parts.logger.warn({ address: this.#address, reason }, 'push connection dropped');
    this.end();
    this.#connection.close();
  }
}

function headOf({ channel, no }: Fields): FrameHead {
  return { channel: textOf(channel), no: textOf(no) || '0' };
}

function nameOf({ channel, market, accesskey }: Fields) {
  return { channel: textOf(channel), market: textOf(market), accesskey: textOf(accesskey) };
}
