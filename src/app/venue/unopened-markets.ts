import { MARKET_ID } from '../../domain/index.ts';
import { withMarkets } from '../config/exchange.ts';
import { didYouMean } from '../config/suggest.ts';
import type { LocatedYaml } from '../config/yaml.ts';

/**
 * A line for each market of a deployment that the simulated exchange of its file does not open,
 * whatever else is wrong with the file. None where the market of a recording is only in its file.
 */
export function unopenedMarkets(yaml: LocatedYaml): string[] {
  const { markets, venue } = yaml.value as Partial<Record<string, unknown>>;
  const known = marketsOpenedBy(venue);
  if (known === undefined || !Array.isArray(markets)) return [];
  return markets.flatMap((id, at) =>
    typeof id !== 'string' || !MARKET_ID.test(id) || known.includes(id)
      ? []
      : [unknownMarket(id, { yaml, at, known, orElse: ', or an entry for it in venue.markets' })],
  );
}

export interface UnknownMarketOptions {
  readonly yaml: LocatedYaml;
  /** The market's index in the list of markets. */
  readonly at: number;
  readonly known: readonly string[];
  /** What would do as well. Default: nothing. */
  readonly orElse?: string;
}

/** The message for a market that the exchange does not have. */
export function unknownMarket(
  id: string,
  { yaml, at, known, orElse = '' }: UnknownMarketOptions,
): string {
  const listed = known.slice(0, 10).join(', ');
  const hint = didYouMean(id, known) || `, one of ${listed} is wanted${orElse}`;
  const place = yaml.locate(['markets', at]);
  return `${place}: Cannot trade market "${id}": the exchange does not have it${hint}`;
}

/** The markets that a section `venue`, not checked yet, opens; undefined where it does not tell. */
function marketsOpenedBy(venue: unknown): string[] | undefined {
  const { kind, markets, recordings = [], follow } = (venue ?? {}) as Record<string, unknown>;
  if (kind !== 'simulated' || !Array.isArray(markets ?? []) || !Array.isArray(recordings)) {
    return undefined;
  }
  const listed = withMarkets({ markets, recordings, follow } as Parameters<typeof withMarkets>[0]);
  const ids = [
    ...listed.markets.map((market) => market?.id),
    ...recordings.map((recording) => recording?.market ?? marketNamedIn(recording?.dataset)),
  ];
  return ids.length > 0 && ids.every((id) => typeof id === 'string') ? ids : undefined;
}

/** `btc_usdt` of `binance.btc_usdt.trades`, by position: a source may be named like a market. */
function marketNamedIn(dataset: unknown): string | undefined {
  const name = String(dataset).split('.').at(-2);
  return name !== undefined && MARKET_ID.test(name) ? name : undefined;
}
