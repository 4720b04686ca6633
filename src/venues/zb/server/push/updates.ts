import { connect, merge, Observable, type Subscriber, takeUntil } from 'rxjs';

/** A change of what a channel tells. */
export interface Update {
  /** For those who know all that was before. */
  readonly frame: string;
  /** All that is known now, for one who joins; rendered once. */
  readonly whole: () => string;
}

/** The update of a channel whose frames always tell everything. */
export function wholeUpdate(frame: string): Update {
  return { frame, whole: () => frame };
}

/** The update of a channel whose frames tell what is new, and of a joiner's first frame. */
export function partUpdate(frame: string, render: () => string): Update {
  let whole: string | undefined;
  return {
    frame,
    whole: () => {
      whole ??= render();
      return whole;
    },
  };
}

/** The newest state: what `now` answers, unless something of `later` came first, then `later`. */
export function newest<T>(now: Observable<T>, later: Observable<T>): Observable<T> {
  return later.pipe(connect((live) => merge(live, now.pipe(takeUntil(live)))));
}

/** What `now` answers, then all that `later` brought since the subscription: nothing is left out. */
export function followed<T>(now: Observable<T>, later: Observable<T>): Observable<T> {
  return new Observable((subscriber: Subscriber<T>) => {
    let waiting: T[] | undefined = [];
    const error = (thrown: unknown) => subscriber.error(thrown);
    const next = (value: T) => {
      if (waiting === undefined) subscriber.next(value);
      else waiting.push(value);
    };
    subscriber.add(later.subscribe({ next, error }));
    subscriber.add(
      now.subscribe({
        next: (value) => subscriber.next(value),
        error,
        complete: () => {
          // What a listener sets off while it hears of these comes behind them.
          for (const value of waiting ?? []) subscriber.next(value);
          waiting = undefined;
        },
      }),
    );
  });
}
