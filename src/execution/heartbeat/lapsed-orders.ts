import { isFinal, type LiveOrder } from '../../domain/index.ts';
import { counted, getOrInsert } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/** The fates of an order, in the order in which they are told. */
const FATES = [
  'cancelled by the timed cancel',
  'cancelled by the timed cancel or by a cancel that was not answered',
  'cancelled',
  'not found any more',
  'filled',
  'never there',
  'rests on',
  'not found yet',
] as const;
type Fate = (typeof FATES)[number];

/** Notes on an order beside its state. */
interface Noted {
  /** Whether a cancel of ours was under way. */
  readonly wasCancelling: boolean;
  /** Whether it counts as ended only because it was not found. */
  isAbsent: boolean;
}

/** Tells what became of the orders of a market whose timed cancel lapsed, once that is known. */
export class LapsedOrders {
  readonly #options: Pick<ExecutorOptions, 'orders' | 'logger'>;
  /** By market and by our ids. */
  readonly #markets = new Map<string, Map<string, Noted>>();

  constructor(options: Pick<ExecutorOptions, 'orders' | 'logger'>) {
    this.#options = options;
  }

  /** The market's timed cancel lapsed while these orders were live. */
  note(market: string, orders: readonly LiveOrder[]): void {
    const noted = getOrInsert(this.#markets, market, () => new Map<string, Noted>());
    for (const { clientOrderId, status } of orders) {
      if (noted.has(clientOrderId)) continue;
      noted.set(clientOrderId, { wasCancelling: status === 'cancelling', isAbsent: false });
    }
  }

  /** An order counts as absent from now on: its cancel is only likely. */
  absent({ market, clientOrderId }: LiveOrder): void {
    const noted = this.#markets.get(market)?.get(clientOrderId);
    if (noted !== undefined) noted.isAbsent = true;
  }

  /** Tells of the markets in which all noted orders have ended. */
  look(): void {
    for (const [market, noted] of this.#markets) {
      const orders = [...noted.keys()].map((id) => this.#options.orders.get(id));
      if (orders.every((order) => order !== undefined && isFinal(order))) this.tell(market);
    }
  }

  /** The market was read: tells what became of its noted orders. */
  tell(market: string): void {
    const noted = this.#markets.get(market);
    if (noted === undefined) return;
    this.#markets.delete(market);
    const counts = new Map<Fate, number>();
    for (const [clientOrderId, one] of noted) {
      const fate = this.#fateOf(clientOrderId, one);
      counts.set(fate, (counts.get(fate) ?? 0) + 1);
    }
    const told = FATES.flatMap((fate) => {
      const count = counts.get(fate);
      return count === undefined ? [] : [`${count} ${fate}`];
    });
    const what = counted(noted.size, 'order');
    const text = `what became of ${what} of ${market} since the heartbeat lapsed`;
    this.#options.logger.info({ market }, `${text}: ${told.join(', ')}`);
  }

  #fateOf(clientOrderId: string, { wasCancelling, isAbsent }: Noted): Fate {
    const order = this.#options.orders.get(clientOrderId);
    switch (order?.status) {
      case 'cancelled':
        if (order.evidence === 'answer') return 'cancelled';
        if (isAbsent) return 'not found any more';
        return wasCancelling ? FATES[1] : FATES[0];
      case 'filled':
        return 'filled';
      case 'rejected':
        return 'never there';
      case 'open':
      case 'cancelling':
        return 'rests on';
      default:
        return 'not found yet';
    }
  }
}
