import type { Subscription } from 'rxjs';
import type { Clock, Logger } from '../../kernel/index.ts';
import { type Alert, urgency } from './alert-text.ts';
import { type Posted, retries } from './post.ts';

/** Most alerts waiting to be posted. Beyond this the least urgent, then the oldest, are dropped. */
const WAITING_MAX = 200;
/** The pause after a failed post, doubled with each further failure, and the longest. */
const RETRY_MS = 5_000;
const RETRY_MAX_MS = 5 * 60_000;

export interface AlertDeskOptions {
  readonly clock: Clock;
  /** Told once when posts begin to fail, and once when they arrive again. */
  readonly logger: Logger;
  readonly post: (alerts: readonly Alert[], dropped: number) => Promise<Posted>;
  /** Least time between two posts, milliseconds. */
  readonly pauseMs: number;
  /** The environment variable that holds the address: names it without showing it. */
  readonly variable: string;
}

/**
 * Posts alerts: the first at once, those of the pause after it together. One post is under way at a
 * time; a failed one is tried again with newer alerts. Nothing waits for it.
 */
export class AlertDesk {
  readonly #options: AlertDeskOptions;
  #waiting: Alert[] = [];
  #dropped = 0;
  #timer: Subscription | undefined;
  #underWay: Promise<void> | undefined;
  #failures = 0;
  #mayPostMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: AlertDeskOptions) {
    this.#options = options;
  }

  /** Posts an alert as soon as possible, or never once the desk is closed. Returns at once. */
  tell(alert: Alert): void {
    this.#waiting.push(alert);
    this.#dropTooMany();
    this.#schedule();
  }

  /** Posts what waits, once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.unsubscribe();
    await this.#underWay;
    if (this.#waiting.length > 0) await this.#post({ isLast: true });
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#underWay !== undefined || this.#isClosed) return;
    const { clock } = this.#options;
    // Scheduled, never posted right away: the caller may be between a market event and its order.
    const delayMs = Math.max(0, this.#mayPostMs - clock.now());
    this.#timer = clock.schedule(() => {
      this.#timer = undefined;
      this.#underWay = this.#post().finally(() => {
        this.#underWay = undefined;
        if (this.#waiting.length > 0) this.#schedule();
      });
    }, delayMs);
  }

  async #post({ isLast = false } = {}): Promise<void> {
    const { clock, post, pauseMs } = this.#options;
    const alerts = this.#waiting;
    const dropped = this.#dropped;
    this.#waiting = [];
    this.#dropped = 0;
    const posted = await post(alerts, dropped);
    const isRetried = !isLast && posted.kind !== 'taken' && retries(posted);
    if (isRetried) this.#keep(alerts, dropped);
    this.#note(posted, { isRetried });
    const waitMs = isRetried
      ? Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (this.#failures - 1))
      : pauseMs;
    this.#mayPostMs = clock.now() + waitMs;
  }

  /** Puts alerts back, ahead of those that have come since. */
  #keep(alerts: readonly Alert[], dropped: number): void {
    this.#waiting = [...alerts, ...this.#waiting];
    this.#dropped += dropped;
    this.#dropTooMany();
  }

  /** Drops and counts what is more than may wait. */
  #dropTooMany(): void {
    while (this.#waiting.length > WAITING_MAX) {
      const least = Math.min(...this.#waiting.map(urgency));
      const at = this.#waiting.findIndex((alert) => urgency(alert) === least);
      this.#waiting.splice(at, 1);
      this.#dropped++;
    }
  }

  #note(posted: Posted, { isRetried }: { readonly isRetried: boolean }): void {
    const { logger, variable } = this.#options;
    if (posted.kind === 'taken') {
      if (this.#failures > 0) logger.info({}, 'alerts are posted again');
      this.#failures = 0;
      return;
    }
    this.#failures++;
    const { reason } = posted;
    const what = `Cannot post alerts to the address in ${variable}: ${reason}`;
    const next = isRetried ? 'it is tried again' : 'these alerts are only in the log';
    if (!isRetried || this.#failures === 1) logger.warn({ reason }, `${what}; ${next}`);
  }
}
