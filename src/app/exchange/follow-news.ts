import { type Depth, midOf } from '../../domain/index.ts';
import type { Logger } from '../../kernel/index.ts';

/**
 * Logs when a market loses the venue that it follows, and when it is really back: a connection may
 * come and go with each attempt, so only a book with both sides counts.
 */
export function followNews(market: string, logger: Logger) {
  let isFollowing = false;
  return {
    /** The venue told a book of the market. */
    heard(book: Depth): void {
      if (isFollowing || midOf(book) === undefined) return;
      isFollowing = true;
      logger.info({ market }, `${market} follows the venue`);
    },
    /** The venue is lost, or is not back yet. */
    lost(reason: string): void {
      if (!isFollowing) return;
      isFollowing = false;
      logger.warn({ market, reason }, `${market} is empty: the venue it follows is lost`);
    },
  };
}
