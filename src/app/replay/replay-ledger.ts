import {
  type Balance,
  isFinal,
  type LiveOrder,
  type Market,
  type Position,
  type PositionEntry,
  type TradingEvent,
} from '../../domain/index.ts';
import { flatPosition, foldEntry } from '../../ledger/index.ts';

/** What the recorded run's ledgers told its strategies, as the recorded events show it. */
export class ReplayLedger {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #live = new Map<string, LiveOrder>();
  readonly #balances = new Map<string, Balance>();
  readonly #positions = new Map<string, Position>();

  constructor(markets: ReadonlyMap<string, Market>) {
    this.#markets = markets;
  }

  /** Books an entry of an earlier run, or one whose event comes next. */
  fold(entry: PositionEntry): void {
    const { market: id, strategy } = entry;
    const market = this.#markets.get(id);
    if (market === undefined) return;
    const before = this.position(id, strategy);
    this.#positions.set(`${id} ${strategy}`, foldEntry(before, { entry, market }));
  }

  /** Takes up what an event says, ahead of its delivery. */
  take(event: TradingEvent): void {
    if (event.kind === 'order') {
      const { order } = event;
      if (isFinal(order)) this.#live.delete(order.clientOrderId);
      else this.#live.set(order.clientOrderId, order);
    } else if (event.kind === 'balance') {
      for (const balance of event.balances) this.#balances.set(balance.currency, balance);
    }
  }

  position(market: string, strategy = ''): Position {
    return this.#positions.get(`${market} ${strategy}`) ?? flatPosition(market);
  }

  liveOf(strategy: string, market: string): readonly LiveOrder[] {
    const isWanted = (order: LiveOrder) => order.strategy === strategy && order.market === market;
    return [...this.#live.values()].filter(isWanted);
  }

  get(currency: string): Balance | undefined {
    return this.#balances.get(currency);
  }
}
