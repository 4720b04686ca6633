import { type Depth, midOf } from '../../domain/index.ts';
import type { Logger } from '../../kernel/index.ts';

/**
 * Tells when a market that follows a venue loses it, and when it is really back: a connection may
 * come and go with each attempt, a whole book counts.
 */
export class FollowNews {
  readonly #market: string;
  readonly #logger: Logger;
  #isFollowing = false;

  constructor(market: string, logger: Logger) {
    this.#market = market;
    this.#logger = logger;
  }

  /** The venue told a book of the market. */
  heard(book: Depth): void {
    if (this.#isFollowing || midOf(book) === undefined) return;
    this.#isFollowing = true;
    const market = this.#market;
    this.#logger.info({ market }, `${market} follows the venue`);
  }

  /** The venue is lost, or is not back yet. */
  lost(reason: string): void {
    if (!this.#isFollowing) return;
    this.#isFollowing = false;
    const market = this.#market;
    const what = `${market} is empty: the venue it follows is lost`;
    this.#logger.warn({ market, reason }, what);
  }
}
