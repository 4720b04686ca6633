import type { LiveOrder, TargetIntent } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { movedTarget } from './beside-target.ts';

/** A target as last wished, and its progress since. */
export class TargetWish {
  readonly intent: TargetIntent;
  /** The position to reach: the target as moved by single orders since, see `movedTarget`. */
  wanted: Decimal;
  /** Whether nothing was missing at the last plan. */
  isReached = false;
  /** When to look again if it can't be pursued now; infinite: only after an event. */
  lookAgainMs = Number.POSITIVE_INFINITY;
  /** Whether an order towards it was refused. */
  isRefused = false;
  /** Whether it is pursued to flat first, as an order for the whole way beyond flat was refused. */
  stopsAtFlat: boolean;
  /** Whether that order was refused just now: the part to flat was not, and need not pause. */
  isTurnRefused = false;
  readonly wishedMs: number;
  /**
   * By our ids, the single orders that were no longer wished when it was: their fills do not move
   * it.
   */
  #takenBack: Set<string> | undefined;

  /**
   * `former`: the replaced target. If it is the same target wished again, it goes on from there.
   */
  constructor(
    intent: TargetIntent,
    { former, wishedMs }: { readonly former: TargetWish | undefined; readonly wishedMs: number },
  ) {
    this.intent = intent;
    this.wanted = Decimal.of(intent.position);
    this.wishedMs = wishedMs;
    this.stopsAtFlat = former?.isTo(intent.position) === true && former.stopsAtFlat;
  }

  isTo(position: number): boolean {
    return this.intent.position === position;
  }

  /** Fills of this single order no longer move it. */
  takeBack({ clientOrderId }: LiveOrder): void {
    this.#takenBack ??= new Set();
    this.#takenBack.add(clientOrderId);
  }

  /** A live single order is wished again: its fills move the target. */
  takeUp(clientOrderId: string): void {
    this.#takenBack?.delete(clientOrderId);
  }

  /** A fill of a single order moved the position by `moved`, to `held`. */
  move(
    clientOrderId: string,
    { held, moved }: { readonly held: Decimal; readonly moved: Decimal },
  ): void {
    if (this.#takenBack?.has(clientOrderId)) return;
    this.wanted = this.isReached ? held : movedTarget(this.wanted, { held, moved });
  }
}
