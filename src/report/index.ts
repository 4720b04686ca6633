export { type Analysis, analyse } from './analysis.ts';
export {
  type ComparedCount,
  type ComparedFigure,
  type ComparedMetric,
  type Comparison,
  comparedFigures,
  compareMetrics,
  refusedWishes,
} from './compare.ts';
export { type Conventions, conventionsOf, type ReportConfig, reportConfig } from './config.ts';
export type { Curve, Drawdown } from './curve-meter.ts';
export { ReportError } from './errors.ts';
export { type Bin, histogram } from './histogram.ts';
export { reportHtml } from './html/page.ts';
export type { Facts } from './metrics/facts.ts';
export type { Family, Measured, Metric, Unit } from './metrics/metric.ts';
export { type Figure, METRICS } from './metrics/metrics.ts';
export * from './metrics/series.ts';
export { byYear, type MonthReturn, monthlyReturns, type YearReturns } from './months.ts';
export type {
  DatasetCoverage,
  EndedStrategy,
  EquityColumns,
  Markout,
  PassedPrices,
  PlainSettings,
  PlainValue,
  PriceColumns,
  RecordedFill,
  RefusalCount,
  RunCounts,
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
