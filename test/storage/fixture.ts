import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import type {
  Balance,
  EventKind,
  EventOf,
  Fill,
  JournalMemory,
  LateFee,
  OrderRecord,
  PendingOrder,
  Position,
  QuotesIntent,
  TargetIntent,
  TradingEvent,
} from '../../src/domain/index.ts';
import { Decimal, VirtualClock } from '../../src/kernel/index.ts';
import { FileJournal, readFrom } from '../../src/storage/index.ts';
import type { JournalOptions } from '../../src/storage/journal.ts';
import type { Verification } from '../../src/storage/verify.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { START_MS } from './events.ts';

export function scratchPath(): string {
  return join(scratchFolder(), 'deployment.journal');
}

/** Copies the files of a journal as they are at this moment to a new path: what a kill leaves. */
export function copyJournal(path: string): string {
  const copy = scratchPath();
  for (const suffix of ['', '-wal', '.departures']) {
    if (existsSync(path + suffix)) cpSync(path + suffix, copy + suffix);
  }
  return copy;
}

export function journalOf(options: Partial<JournalOptions> = {}): FileJournal {
  return new FileJournal({
    path: options.path ?? scratchPath(),
    clock: new VirtualClock(START_MS),
    configHash: 'config',
    durability: 'normal',
    ...options,
  });
}

/** The path of a journal with a run that wrote these events, `each` at once, and ended. */
export function writtenRun(
  events: readonly TradingEvent[],
  { each = 1_000, ...options }: Partial<JournalOptions> & { readonly each?: number } = {},
): string {
  const { path = scratchPath() } = options;
  const journal = journalOf({ ...options, path });
  for (const [at, event] of events.entries()) {
    journal.append(event);
    if (at % each === each - 1) journal.commit();
  }
  journal.close();
  return path;
}

/** The path of a journal as a kill left it, with these events committed, or only departed. */
export function killedRun(
  events: readonly TradingEvent[] = [],
  commit: 'commit' | 'commitOrders' = 'commit',
): string {
  const path = scratchPath();
  const journal = journalOf({ path });
  for (const event of events) journal.append(event);
  journal[commit]();
  const killed = copyJournal(path);
  journal.close();
  return killed;
}

/** Changes a database by SQL; returns its path. */
export function changed(path: string, sql: string): string {
  using database = new DatabaseSync(path);
  database.exec(sql);
  return path;
}

/** The rows that SQL finds in a database. */
export function rowsOf(path: string, sql: string) {
  using database = new DatabaseSync(path);
  return database.prepare(sql).all();
}

/** What a restart at the beginning of time here would take over. */
export function memoryOf(path: string): JournalMemory {
  return readFrom(path, (reader) => reader.memory(START_MS));
}

/** The events of a run, the last by default. */
export function eventsIn(path: string, run?: number): TradingEvent[] {
  const query = run === undefined ? {} : { run };
  return readFrom(path, (reader) => [...reader.events(query)].map(({ event }) => event));
}

/** Whether a run, the last by default, is unchanged since it was written. */
export function verified(path: string, run?: number): Verification {
  return readFrom(path, (reader) => reader.verify(run));
}

function keysOf<T extends object>(value: T): (keyof T)[] {
  return Object.keys(value) as (keyof T)[];
}

/**
 * A value for every possible field. Lines are written and read field by field: the compiler reports
 * a new field here, and the test of `reviveEvent` shows whether lines keep it.
 */
type Every<T> = { readonly [K in keyof T]-?: fc.Arbitrary<unknown> };

function eventOf<K extends EventKind>(kind: K, fields: Every<Omit<EventOf<K>, 'kind'>>) {
  return fc.record({ kind: fc.constant(kind), ...fields });
}

const text = fc.string({ maxLength: 12 });
const time = fc.integer({ min: START_MS, max: START_MS + 1e9 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.nat(18))
  .map(([units, scale]) => new Decimal(units, scale));
const market = fc.constantFrom('btc_usdt', 'eth_usdt');
const stamps = { exchangeTime: time, receivedTime: time };
const level = fc.tuple(number, number);
const balance = fc.record({
  ...{ currency: text, available: decimal, frozen: decimal },
} satisfies Every<Balance>);
const side = fc.constantFrom('buy', 'sell');

const terms = {
  market,
  side,
  type: fc.constantFrom('limit', 'postOnly', 'ioc'),
  price: number,
  amount: number,
};
const shared = {
  ...terms,
  clientOrderId: fc.constantFrom('order1', 'order2', 'order3'),
  strategy: text,
  tag: text,
  createdTime: time,
  filledAmount: number,
  filledValue: decimal,
  fee: fc.option(decimal, { nil: undefined }),
  guessedFee: fc.option(decimal, { nil: undefined }),
  changedTime: time,
  evidence: fc.constant('push'),
} satisfies Every<Omit<PendingOrder, 'status' | 'exchangeOrderId'>>;
const anyOrder = fc.oneof(
  fc.record({
    ...shared,
    status: fc.constantFrom('open', 'filled', 'cancelled', 'cancelling'),
    exchangeOrderId: text,
  }),
  fc.record({ ...shared, status: fc.constant('pending') }),
  fc.record(
    {
      ...{ ...shared, status: fc.constant('unknown'), reason: text, unknownSince: time },
      exchangeOrderId: text,
    },
    { requiredKeys: [...keysOf(shared), 'status', 'reason', 'unknownSince'] },
  ),
  fc.record(
    { ...shared, status: fc.constant('rejected'), reason: text, code: fc.integer() },
    { requiredKeys: [...keysOf(shared), 'status', 'reason'] },
  ),
);
/** A guess is a part of the fee. */
const order = anyOrder.map((one) => (one.fee ? one : { ...one, guessedFee: undefined }));
const booked = {
  ...{ market, strategy: text, clientOrderId: text, exchangeOrderId: text, side },
  ...{ value: decimal, price: number, fee: decimal, feeCurrency: text, time },
} satisfies Every<LateFee>;
const traded = { ...booked, amount: number };
const fill = fc.record({ ...traded, tag: text } satisfies Every<Fill>, {
  requiredKeys: keysOf(traded),
});
const lateFee = fc.record(booked);
const position = fc.record({
  ...{ market, amount: decimal, cost: decimal, realizedProfit: decimal, fees: decimal },
} satisfies Every<Position>);
const told = {
  ...{ ...terms, exchangeOrderId: text, filledAmount: number, filledValue: decimal },
  ...{ closed: fc.boolean(), exchangeTime: time },
};
const lastTrade = fc.record({ id: text, price: number, amount: number, time });
const further = { fee: decimal, accountType: fc.constantFrom(0, 1, 2), lastTrade };
const record = fc.record({ ...told, ...further } satisfies Every<OrderRecord>, {
  requiredKeys: keysOf(told),
});
const bound = { kind: fc.constant('target'), market, position: number, slippage: number };
const target = fc.record({ ...bound, priceLimit: number } satisfies Every<TargetIntent>, {
  requiredKeys: keysOf(bound),
});
const levels = fc.array(fc.record({ price: number, amount: number }));
const quotes = fc.record({
  ...{ kind: fc.constant('quotes'), market, bids: levels, asks: levels, postOnly: fc.boolean() },
} satisfies Every<QuotesIntent>);

/** Any event whose line differs from `JSON.stringify`, and some whose line does not. */
export const anyEvent = fc.oneof(
  eventOf('order', { time, market, order }),
  eventOf('orderPush', { market, ...stamps, order: record }),
  eventOf('fill', { time, market, fill }),
  eventOf('lateFee', { time, market, lateFee }),
  eventOf('adjustment', {
    ...{ time, market, strategy: text, before: decimal, after: decimal, value: decimal },
  }),
  eventOf('balance', { time, balances: fc.array(balance) }),
  eventOf('balancePush', { ...stamps, balances: fc.array(balance) }),
  eventOf('position', { time, market, strategy: text, position }),
  eventOf('depth', { market, ...stamps, bids: fc.array(level), asks: fc.array(level) }),
  eventOf('intent', { time, market, strategy: text, intent: fc.oneof(target, quotes) }),
  eventOf('lapse', { time, market, reason: text }),
  eventOf('requestFailure', {
    ...{ time, market, reason: text },
    ...{ operation: fc.constant('cancel'), outcome: fc.constant('unknown') },
  }),
  eventOf('run', { time, status: fc.constant('running'), reason: text }),
  eventOf('request', { time, market, operation: fc.constant('place'), waitedMs: fc.nat() }),
) as fc.Arbitrary<TradingEvent>;
