import { type Observable, switchMap } from 'rxjs';
import { CODES, type ExchangeHost } from '../../../../exchange/index.ts';
import { MARKETS_CHANNEL } from '../../wire/fields.ts';
import { refuse } from '../answers.ts';
import type { Dialect } from '../dialect.ts';
import type { MarketDirectory, Markets } from '../markets.ts';
import { type Fields, textOf } from './fields.ts';
import { FRAME_CODES } from './frames.ts';
import { marketsFrames, publicFeed } from './public-feeds.ts';
import { SharedFrames } from './shared.ts';

/** Levels per side that a quick depth may have; the first is the default. */
const QUICK_DEPTH_LENGTHS = ['5', '10', '20'];

/** The parts that public channels are made from. */
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
   * The frames of a channel: the present state at once, then changes, without acknowledgement.
   * Fails with an ExchangeFailure, code 1007 if there is no such channel.
   */
  open(channel: string, fields: Fields): Observable<string> {
    const length = isQuickDepth(channel) ? lengthOf(fields) : 0;
    return this.#parts.directory
      .read()
      .pipe(switchMap((markets) => this.#frames({ channel, length, markets })));
  }

  #frames(wanted: {
    readonly channel: string;
    readonly length: number;
    readonly markets: Markets;
  }): Observable<string> {
    const { channel, length, markets } = wanted;
    if (channel === MARKETS_CHANNEL) return marketsFrames(markets);
    const split = channel.indexOf('_');
    const market = markets.ofSymbol(channel.slice(0, split));
    const feed = publicFeed(channel.slice(split + 1));
    if (market === undefined || feed === undefined) {
      return refuse(FRAME_CODES.emptyChannel, 'Channel is empty');
    }
    return this.#shared.joined(`${channel} ${length}`, () =>
      feed({ ...this.#parts, market: market.id, channel, length }),
    );
  }
}

function isQuickDepth(channel: string): boolean {
  return channel.endsWith('_quick_depth');
}

/**
 * The number of levels, given as a number or its text. @throws {ExchangeFailure} with code 3005.
 */
function lengthOf({ length }: Fields): number {
  const isAbsent = length === undefined || length === null || length === '';
  const text = isAbsent ? QUICK_DEPTH_LENGTHS[0]! : textOf(length);
  if (QUICK_DEPTH_LENGTHS.includes(text)) return Number(text);
  return refuse(CODES.invalidArguments, 'Invalid length: 5, 10 or 20 wanted');
}
