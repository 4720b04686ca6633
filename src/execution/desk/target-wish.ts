import type { LiveOrder, TargetIntent } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { movedTarget } from './beside-target.ts';

/** A target as it was wished last, and what has become of it since. */
export class TargetWish {
  readonly intent: TargetIntent;
  /** What is to be held: the target, and what orders by a tag have moved since: see `movedTarget`. */
  wanted: Decimal;
  /** Whether nothing was missing when it was planned last. */
  isReached = false;
  /** When a target that can't be pursued now is looked at again; infinite: not by itself. */
  lookAgainMs = Number.POSITIVE_INFINITY;
  /** Whether an order that pursues it was refused. */
  isRefused = false;
  /** Whether a way beyond flat goes to flat first: an order for all of it was refused. */
  stopsAtFlat: boolean;
  /** Whether that order was refused just now: the part to flat was not, and need not pause. */
  isTurnRefused = false;
  readonly wishedMs: number;
  /** The orders by a tag, by our ids, that were no longer wished when it was: none moves it. */
  #takenBack: Set<string> | undefined;

  /** `former`: the target that it replaces. The same one wished again goes on where that stands. */
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

  /** Fills of that order, asked for by its tag, move it no more. */
  takeBack({ clientOrderId }: LiveOrder): void {
    this.#takenBack ??= new Set();
    this.#takenBack.add(clientOrderId);
  }

  /** An order by a tag is wished again, as it lives: its fills move the target. */
  takeUp(clientOrderId: string): void {
    this.#takenBack?.delete(clientOrderId);
  }

  /** A fill of an order by a tag moved what is held by `moved`, to `held`. */
  move(
    clientOrderId: string,
    { held, moved }: { readonly held: Decimal; readonly moved: Decimal },
  ): void {
    if (this.#takenBack?.has(clientOrderId)) return;
    this.wanted = this.isReached ? held : movedTarget(this.wanted, { held, moved });
  }
}
