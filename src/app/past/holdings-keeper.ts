import { merge, Subscription, timer } from 'rxjs';
import type { Market, TradingEvent } from '../../domain/index.ts';
import { type Bus, type Clock, HOUR_MS, type Logger, messageOf } from '../../kernel/index.ts';
import type { PositionLedger } from '../../ledger/index.ts';
import type { TradingStateControl } from '../../risk/index.ts';
import type { FileJournal } from '../../storage/index.ts';
import { writeHoldings } from './holdings.ts';
import type { Recollection } from './recall.ts';

/** How often holdings are saved while bookings come. */
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
 * Saves what the deployment holds to its journal now and then, so that a restart has to read only
 * the fills since, not those of years.
 */
export class HoldingsKeeper {
  readonly #options: HoldingsKeeperOptions;
  readonly #subscriptions = new Subscription();
  /** Time of the newest booking that the holdings include. */
  #until = Number.NEGATIVE_INFINITY;
  #isKept: boolean;

  constructor(options: HoldingsKeeperOptions) {
    const { bus, clock, past } = options;
    this.#options = options;
    for (const { time } of past.bookings) this.#until = Math.max(this.#until, time);
    this.#isKept = past.bookings.length === 0;
    const booked = merge(bus.on('fill'), bus.on('lateFee'));
    this.#subscriptions.add(booked.subscribe(({ time }) => this.#note(time)));
    this.#subscriptions.add(timer(0, KEEP_MS, clock).subscribe(() => this.keep()));
  }

  /** Saves the present holdings, unless nothing was booked since the last time. */
  keep(): void {
    if (this.#isKept) return;
    const { journal, positions, markets, past, state, logger } = this.#options;
    const isUntraded = ({ market }: { readonly market: string }) => !markets.has(market);
    const resetTime = state.resetTime ?? past.resetTime;
    const body = writeHoldings({
      markets: [...past.held.filter(isUntraded), ...positions.held()],
      fills: past.bookings.filter(isUntraded),
      trading: { state: state.state, reason: state.reason },
      resetTime,
    });
    try {
      journal.keepSnapshot({ until: this.#until, body });
      this.#isKept = true;
    } catch (thrown) {
      // The journal has failed and says so at the next event. Only a restart takes longer by it.
      logger.warn({ reason: messageOf(thrown) }, 'what is held could not be kept in the journal');
    }
  }

  /** Ends the saving, with the holdings at the end. */
  close(): void {
    this.#subscriptions.unsubscribe();
    this.keep();
  }

  #note(time: number): void {
    this.#until = Math.max(this.#until, time);
    this.#isKept = false;
  }
}
