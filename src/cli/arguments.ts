import { InvalidArgumentError, Option } from 'commander';

/** Parses a number that passes `check`. `wanted` describes such a number in the error message. */
export function number(
  check: (value: number) => boolean,
  wanted: string,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && check(value)) return value;
    throw new InvalidArgumentError(`${wanted} is wanted.`);
  };
}

/** Parses a whole number from `from` to `to`, both included. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  const wanted = to === Number.MAX_SAFE_INTEGER ? `${from} or above` : `from ${from} to ${to}`;
  return number((n) => Number.isInteger(n) && n >= from && n <= to, `a whole number ${wanted}`);
}

/** The path of a folder. Blank text, as of a script's unset variable, is refused. */
export function folder(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('a folder is wanted.');
}

/** A market in lower case, such as `btc_usdt`. */
export function marketId(text: string): string {
  const id = text.toLowerCase();
  if (/^[a-z0-9]+_[a-z0-9]+$/.test(id)) return id;
  throw new InvalidArgumentError('a market such as btc_usdt is wanted.');
}

/** A currency in lower case, such as `btc`. */
export function currency(text: string): string {
  const name = text.toLowerCase();
  if (/^[a-z0-9]+$/.test(name)) return name;
  throw new InvalidArgumentError('a currency such as btc is wanted.');
}

/** A parser of an option or argument that may be repeated: collects the values in order. */
export function collected<T>(parse: (text: string) => T) {
  return (text: string, before: readonly T[] = []): T[] => [...before, parse(text)];
}

/** `--set`, which may be repeated. */
export function settingsOption(example = 'risk.orderValueMax=100'): Option {
  const what = `a setting in place of the file's, such as ${example}; may be repeated`;
  return new Option('--set <path=value>', what).argParser(collected(String));
}
