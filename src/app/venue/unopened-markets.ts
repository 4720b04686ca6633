import { MARKET_ID } from '../../domain/index.ts';
import { withMarkets } from '../config/exchange.ts';
import { didYouMean } from '../config/suggest.ts';
import type { LocatedYaml } from '../config/yaml.ts';

/**
 * The markets of a deployment that the simulated exchange of its file does not open: a line each,
 * whatever else is wrong with the file. Nothing where only recordings themselves tell their market.
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
  /** Its place in the list of markets. */
  readonly at: number;
  readonly known: readonly string[];
  /** What would do as well. Default: nothing. */
  readonly orElse?: string;
}

/** Why a market cannot be traded that the exchange does not have. */
export function unknownMarket(
  id: string,
  { yaml, at, known, orElse = '' }: UnknownMarketOptions,
): string {
  const listed = known.slice(0, 10).join(', ');
  const hint = didYouMean(id, known) || `, one of ${listed} is wanted${orElse}`;
  const place = yaml.locate(['markets', at]);
  return `${place}: Cannot trade market "${id}": the exchange does not have it${hint}`;
}

/** The markets that a section `venue`, unchecked yet, opens; undefined where it does not tell. */
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

/** `btc_usdt` of `binance.btc_usdt.trades`: the name of a source may look like that of a market. */
function marketNamedIn(dataset: unknown): string | undefined {
  const name = String(dataset).split('.').at(-2);
  return name !== undefined && MARKET_ID.test(name) ? name : undefined;
}
