import type { Clock } from '../../../kernel/index.ts';
import type { Key } from './keys.ts';
import type { Limiter } from './limits.ts';

/** What the operator of a served exchange knows about its callers and can do to them. */
export interface ServerOperator {
  readonly keys: readonly Pick<Key, 'accessKey' | 'account' | 'disabled'>[];
  /** Refuses a key with code 4001 from now on, or no longer; false when there is no such key. */
  setDisabled(accessKey: string, disabled: boolean): boolean;
  /** The addresses that are locked now: until when, in milliseconds of the callers' time. */
  locks(): ReadonlyMap<string, number>;
  lock(address: string, durationMs: number): void;
  /** False when the address was not locked. */
  unlock(address: string): boolean;
}

export function serverOperator(parts: {
  readonly keys: ReadonlyMap<string, Key>;
  readonly limiter: Limiter;
  readonly clock: Clock;
}): ServerOperator {
  const { keys, limiter, clock } = parts;
  return {
    get keys() {
      return [...keys.values()];
    },
    setDisabled(accessKey, disabled) {
      const key = keys.get(accessKey);
      if (key !== undefined) key.disabled = disabled;
      return key !== undefined;
    },
    locks: () => limiter.locks(clock.now()),
    lock: (address, durationMs) => limiter.lock(address, { nowMs: clock.now(), durationMs }),
    unlock: (address) => limiter.unlock(address, clock.now()),
  };
}
