import { Subscription } from 'rxjs';
import type { Fill, Market, TradingEvent } from '../domain/index.ts';
import { type Bus, type Clock, HOUR_MS, type Logger, messageOf } from '../kernel/index.ts';
import type { PositionLedger } from '../ledger/index.ts';
import type { TradingStateControl } from '../risk/index.ts';
import type { FileJournal } from '../storage/index.ts';
import { writeHoldings } from './holdings.ts';
import type { Recollection } from './recall.ts';

/** How often holdings are kept while there are fills. */
const KEEP_MS = HOUR_MS;

export interface HoldingsKeeperOptions {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Pick<FileJournal, 'keepSnapshot'>;
  readonly positions: PositionLedger;
  readonly state: TradingStateControl;
  readonly markets: ReadonlyMap<string, Market>;
  readonly past: Recollection;
}

/**
 * Keeps what the deployment holds in its journal now and then: a restart reads the fills since, not
 * those of years.
 */
export class HoldingsKeeper {
  readonly #options: HoldingsKeeperOptions;
  readonly #subscriptions = new Subscription();
  /** Time of the newest fill that counts. */
  #until = Number.NEGATIVE_INFINITY;
  #isKept: boolean;

  constructor(options: HoldingsKeeperOptions) {
    const { bus, clock, past } = options;
    this.#options = options;
    for (const { time } of past.fills) this.#until = Math.max(this.#until, time);
    this.#isKept = past.fills.length === 0;
    this.#subscriptions.add(bus.on('fill').subscribe(({ fill }) => this.#note(fill)));
    const keep = (): void => this.keep();
    this.#subscriptions.add(
      clock.schedule(function again() {
        keep();
        this.schedule(undefined, KEEP_MS);
      }, 0),
    );
  }

  /** Keeps what is held now, unless that was done since the last fill. */
  keep(): void {
    if (this.#isKept) return;
    const { journal, positions, markets, past, state, logger } = this.#options;
    const isUntraded = ({ market }: { readonly market: string }) => !markets.has(market);
    const resetTime = state.resetTime ?? past.resetTime;
    const body = writeHoldings({
      markets: [...past.held.filter(isUntraded), ...positions.held()],
      fills: past.fills.filter(isUntraded),
      trading: { state: state.state, reason: state.reason },
      ...(resetTime === undefined ? {} : { resetTime }),
    });
    try {
      journal.keepSnapshot({ until: this.#until, body });
      this.#isKept = true;
    } catch (thrown) {
      // The journal has failed and says so at the next event; nothing is lost but time.
      logger.warn({ reason: messageOf(thrown) }, 'what is held could not be kept in the journal');
    }
  }

  /** Keeps what is held at the end. */
  close(): void {
    this.#subscriptions.unsubscribe();
    this.keep();
  }

  #note({ time }: Fill): void {
    this.#until = Math.max(this.#until, time);
    this.#isKept = false;
  }
}
