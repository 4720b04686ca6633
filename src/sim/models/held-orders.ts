import { Observable } from 'rxjs';
import type { PlaceBatchRequest, PlaceRequest, TradingPort } from '../../exchange/index.ts';

/**
 * Holds back orders until they are released: for a world in which what is decided at the close of a
 * candle reaches the exchange when the next one opens. All else passes at once.
 */
export class HeldOrders {
  #held: (() => void)[] = [];
  #holds = true;

  /** Whether any order waits. */
  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Lets go of all that wait now, in their order; what they set off waits in turn. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const send of held) send();
  }

  /** Holds nothing back any more. */
  end(): void {
    this.#holds = false;
    this.release();
  }

  /** The same port, its orders held back. */
  wrap(trading: TradingPort): TradingPort {
    return {
      place: (request: PlaceRequest) => this.#hold(() => trading.place(request)),
      placeBatch: (request: PlaceBatchRequest) => this.#hold(() => trading.placeBatch(request)),
      cancel: (reference) => trading.cancel(reference),
      cancelAllAfter: (market) => trading.cancelAllAfter(market),
      order: (reference) => trading.order(reference),
      orders: (query) => trading.orders(query),
    };
  }

  #hold<T>(call: () => Observable<T>): Observable<T> {
    return new Observable<T>((subscriber) => {
      if (!this.#holds) {
        call().subscribe(subscriber);
        return;
      }
      this.#held.push(() => call().subscribe(subscriber));
    });
  }
}
