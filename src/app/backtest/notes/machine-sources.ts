/** What a program may read of the machine that it runs on: its date, its chance, its timers. */
export type MachineSource = 'date' | 'chance' | 'timer';

type Watcher = (source: MachineSource) => void;

const watchers = new Set<Watcher>();
let restore = (): void => {};

/** Calls `watcher` ahead of every read, by any code of this process. Returns what ends that. */
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

/** Puts functions that tell in the place of the machine's. Returns what puts those back. */
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
