import type { Observable } from 'rxjs';
import type { ExchangeHost } from '../../../../exchange/index.ts';
import type { Dialect } from '../dialect.ts';
import type { Update } from './updates.ts';

/** The parts that the feed of one market's channel is made from. */
export interface FeedParts {
  readonly host: ExchangeHost;
  readonly dialect: Dialect;
  readonly market: string;
  /** The channel's name; it is repeated in every frame. */
  readonly channel: string;
  /** Levels per side of a quick depth. */
  readonly length: number;
}

/** A public channel: its state now, then each change of it. */
export type Feed = (parts: FeedParts) => Observable<Update>;

/** The two fields that name a frame's kind. */
export function tail(dataType: string, channel: string): string {
  return `"dataType":"${dataType}","channel":"${channel}"`;
}
