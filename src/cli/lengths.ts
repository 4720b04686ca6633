import { InvalidArgumentError, Option } from 'commander';
import { rooms } from '../app/index.ts';

const { INTERVALS, intervalNamed, readDuration } = await rooms.nouns();

/** `30s`, `5m`, `5min`, `2h`, `1d` or `250ms` in milliseconds. */
export function duration(text: string): number {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('a time such as 30s, 5m or 2h is wanted.');
}

/** `--interval`: a length that candles have, also spelled `1m`, `60m` or `1h`. */
export function intervalOption(what: string): Option {
  const named = (text: string) => {
    const interval = intervalNamed(text);
    if (interval !== undefined) return interval;
    // The wording of commander's own error.
    throw new InvalidArgumentError(`Allowed choices are ${INTERVALS.join(', ')}.`);
  };
  return new Option('--interval <name>', what).choices(INTERVALS).argParser(named).default('1min');
}
