/** What a program may read from its machine: the date, random numbers, timers. */
export type MachineSource = 'date' | 'chance' | 'timer';

type Watcher = (source: MachineSource) => void;

const watchers = new Set<Watcher>();
let restore = (): void => {};

/** Calls `watcher` before every read by any code of this process. Returns a function to end it. */
export function watchMachine(watcher: Watcher): () => void {
  if (watchers.size === 0) restore = replaceSources();
  watchers.add(watcher);
  return () => {
    if (watchers.delete(watcher) && watchers.size === 0) restore();
  };
}

function tell(source: MachineSource): void {
  for (const watcher of watchers) watcher(source);
}

/** Replaces the machine's functions by watched ones. Returns a function that puts them back. */
function replaceSources(): () => void {
  const { Date: date, setTimeout, setInterval } = globalThis;
  const { now } = date;
  const { random } = Math;
  const watchedDate = new Proxy(date, {
    construct(target, values, newTarget) {
      if (values.length === 0) tell('date');
      return Reflect.construct(target, values, newTarget);
    },
    apply(target) {
      tell('date');
      return target();
    },
  });
  Object.assign(globalThis, {
    Date: watchedDate,
    setTimeout: telling('timer', setTimeout),
    setInterval: telling('timer', setInterval),
  });
  date.now = telling('date', now);
  date.prototype.constructor = watchedDate;
  Math.random = telling('chance', random);
  return () => {
    Object.assign(globalThis, { Date: date, setTimeout, setInterval });
    date.now = now;
    date.prototype.constructor = date;
    Math.random = random;
  };
}

function telling<Read extends (...values: never[]) => unknown>(
  source: MachineSource,
  read: Read,
): Read {
  return new Proxy(read, {
    apply(target, self, values) {
      tell(source);
      return Reflect.apply(target, self, values);
    },
  });
}
