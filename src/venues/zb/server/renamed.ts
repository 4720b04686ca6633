/** Old currency names and their new ones. Source: contract, Versioning, 2021-07-16. */
const NEW_NAMES: ReadonlyMap<string, string> = new Map([
  ['bchabc', 'bch'],
  ['bchsv', 'bsv'],
  ['hsr', 'hc'],
  ['nxwc', 'xwc'],
]);

/** The new name of an old one, in lower case; undefined for any other name. */
export function newNameOf(currency: string): string | undefined {
  return NEW_NAMES.get(currency);
}
