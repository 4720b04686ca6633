import { connect, merge, Observable, type Subscriber, takeUntil } from 'rxjs';

/** A change of a channel's state. */
export interface Update {
  /** The frame for listeners that know the state before. */
  readonly frame: string;
  /** The whole state, for a new listener; rendered once. */
  readonly whole: () => string;
}

/** The update of a channel whose frames always contain everything. */
export function wholeUpdate(frame: string): Update {
  return { frame, whole: () => frame };
}

/** The update of a channel whose frames contain what is new; `render` makes the whole state. */
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

/** The newest state: the answer of `now`, unless `later` emits before it, then all of `later`. */
export function newest<T>(now: Observable<T>, later: Observable<T>): Observable<T> {
  return later.pipe(connect((live) => merge(live, now.pipe(takeUntil(live)))));
}

/** The answer of `now`, then all that `later` has emitted since the subscription, without a gap. */
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
          // What a listener causes while it receives these comes after them.
          for (const value of waiting ?? []) subscriber.next(value);
          waiting = undefined;
        },
      }),
    );
  });
}
