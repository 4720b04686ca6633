import { merge, type Observable, switchMap, takeUntil } from 'rxjs';
import { CODES, type ExchangeHost } from '../../../../exchange/index.ts';
import { refuse } from '../answers.ts';
import type { Dialect } from '../dialect.ts';
import type { MarketDirectory } from '../markets.ts';
import { type Fields, textOf } from './fields.ts';
import { FRAME_CODES } from './frames.ts';
import { publicFeed } from './public-feeds.ts';
import { SharedFrames } from './shared.ts';

/** Levels a side that a quick depth may have, the first where none are asked for. */
const QUICK_DEPTH_LENGTHS = ['5', '10', '20'];

/** What the public channels are made from. */
export interface PublicChannelParts {
  readonly host: ExchangeHost;
  readonly dialect: Dialect;
  readonly directory: MarketDirectory;
}

/** Opens the channels that need no key. */
export class PublicChannels {
  readonly #parts: PublicChannelParts;
  readonly #shared = new SharedFrames();

  constructor(parts: PublicChannelParts) {
    this.#parts = parts;
  }

  /**
   * The frames of a channel: what is known now at once, then what comes, without acknowledgement.
   * Fails with an ExchangeFailure, code 1007 where there is no such channel.
   */
  open(channel: string, fields: Fields): Observable<string> {
    const length = lengthOf(fields);
    return this.#parts.directory.read().pipe(
      switchMap((markets) => {
        const feed = publicFeed({ channel, length }, { ...this.#parts, markets });
        if (feed === undefined) return refuse(FRAME_CODES.emptyChannel, 'Channel is empty');
        const live = this.#shared.of(`${channel} ${length}`, () => feed.live);
        // Something live says all that the snapshot would: a late snapshot must not follow it.
        return merge(live, feed.snapshot.pipe(takeUntil(live)));
      }),
    );
  }
}

function lengthOf({ length }: Fields): number {
  const text = length === undefined || length === '' ? QUICK_DEPTH_LENGTHS[0]! : textOf(length);
  if (QUICK_DEPTH_LENGTHS.includes(text)) return Number(text);
  return refuse(CODES.invalidArguments, 'Invalid length: 5, 10 or 20 wanted');
}
