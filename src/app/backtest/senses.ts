import type { TradingEvent } from '../../domain/index.ts';
import type { Bus, VirtualClock } from '../../kernel/index.ts';
import { DirectStreams, MarketView, type RecordedData } from '../../market/index.ts';
import type { DeploymentConfig } from '../config/deployment.ts';
import { SILENCE_MS } from './data/findings/silence-findings.ts';
import type { Span } from './data/findings/span.ts';
import type { KnownHistory } from './data/known-history.ts';
import type { Source } from './data/source.ts';
import { RecordedPrices } from './feeds/prices.ts';
import type { Hearings } from './hearing/hearings.ts';

/** What delays the news that a bot hears. */
export interface Heard {
  readonly outages: readonly Span[];
  readonly hearings: Hearings | undefined;
}

/** Through these the bot of a backtest sees its markets. */
export interface ReplayedSenses {
  readonly prices: RecordedPrices;
  readonly streams: DirectStreams;
}

interface SensesParts extends Heard {
  readonly clock: VirtualClock;
  readonly config: DeploymentConfig;
  readonly sources: readonly Source[];
  /** What strategies are told of the time before the run. */
  readonly known: KnownHistory;
  /** Whether no order of a market may leave, as candles are missing. Default: never. */
  readonly isInHole?: ((market: string) => boolean) | undefined;
}

/** Opens prices and streams of market data that are published straight on the bus. */
export function openSenses(
  bus: Bus<TradingEvent>,
  { clock, config, sources, known, isInHole, ...heard }: SensesParts,
): ReplayedSenses {
  const ids = sources.map(({ market }) => market.id);
  const books = sources.filter(({ kind }) => kind === 'depth' || kind === 'quotes');
  const withBook = new Set(books.map(({ market }) => market.id));
  const staleAfterMs = staleAfter(config, sources);
  const view = new MarketView({ clock, bus, staleAfterMs });
  const prices = new RecordedPrices({ clock, bus, view, markets: ids, withBook, isInHole });
  const recorded = new Map(sources.map((source) => [source.market.id, recordedOf(source, heard)]));
  const { candleHistory, candleGraceMs } = config.data;
  const waits = { candleHistory, candleGraceMs: heard.hearings?.graceMs ?? candleGraceMs };
  const history = { clock, config: waits, past: known };
  return { prices, streams: new DirectStreams({ bus, recorded, history }) };
}

function recordedOf(source: Source, heard: Heard): RecordedData {
  const { name, market } = source;
  switch (source.kind) {
    // Best prices are made up where no book was recorded.
    case 'candles':
      return { name, kinds: new Set(['candle', 'depth']), interval: source.interval };
    case 'trades':
    case 'depth':
      return {
        ...{ name, kinds: new Set(['trade', 'depth', 'candle']) },
        prints: { amountScale: market.amountScale, outages: silencesOf(source, heard) },
      };
    // Candles are built of the mid prices of quotes.
    case 'quotes':
      return {
        ...{ name, kinds: new Set(['depth', 'candle']) },
        prints: { of: 'depth', amountScale: 0, outages: silencesOf(source, heard) },
      };
    default:
      return source satisfies never;
  }
}

/**
 * When data are stale. A quote stands until the next one, which comes only with a change, so quotes
 * are stale only after the silence that the report would tell of.
 */
function staleAfter(
  { data: { staleAfterMs } }: DeploymentConfig,
  sources: readonly Source[],
): DeploymentConfig['data']['staleAfterMs'] {
  if (sources.every(({ kind }) => kind !== 'quotes')) return staleAfterMs;
  return { ...staleAfterMs, depth: Math.max(staleAfterMs.depth, SILENCE_MS) };
}

/** When no trades or quotes are heard: in gaps of the data, and in outages until they are read. */
function silencesOf(source: Source, { outages, hearings }: Heard): readonly Silence[] {
  const { gaps = [] } = source;
  if (hearings === undefined || outages.length === 0) return gaps;
  const kind = source.kind === 'quotes' ? 'depth' : 'trades';
  const unheard = outages.map((outage) => ({
    from: outage.fromMs,
    to: hearings.backMs(source, { kind, outage }) + 1,
  }));
  return [...gaps, ...unheard].sort((a, b) => a.from - b.from);
}

type Silence = Readonly<Record<'from' | 'to', number>>;
