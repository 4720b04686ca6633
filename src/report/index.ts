export { type Analysis, analyse } from './analysis.ts';
export {
  type ComparedMetric,
  type Comparison,
  comparedFigures,
  compareMetrics,
  refusedWishes,
} from './compare.ts';
export { type Conventions, conventionsOf, reportConfig } from './config.ts';
export { ReportError } from './errors.ts';
export { reportHtml } from './html/page.ts';
export type { Measured } from './metrics/metric.ts';
export { type Figure, METRICS } from './metrics/metrics.ts';
export type {
  DatasetCoverage,
  EndedStrategy,
  EquityColumns,
  Markout,
  PassedPrices,
  PlainSettings,
  PriceColumns,
  RecordedFill,
  RunRecord,
  StoppedTrading,
} from './record.ts';
export {
  type MetricsFile,
  metricsFileOf,
  metricsJson,
  parseMetrics,
} from './tables/metrics-file.ts';
export { metricsTable } from './tables/text-table.ts';
export { csvLine, type TradeFields, tradeFields, tradesCsv } from './tables/trades-csv.ts';
export { type ClosedTrip, isClosed, type RoundTrip } from './trips/round-trip.ts';
export { roundTrips } from './trips/round-trips.ts';
