import type { InjectedFault } from '../faults/index.ts';
import type { OperatedExchange } from './operated.ts';

/** Everything that the operator can see, as plain data. */
export function stateOf(exchange: OperatedExchange): object {
  const { host, accounts, served, network } = exchange;
  return {
    time: timeOf(exchange),
    accounts: Object.fromEntries(accounts.map((name) => [name, host.inspect(name)])),
    keys: served.operator.keys.map(({ accessKey, account, disabled }) => {
      return { accessKey, account, disabled };
    }),
    locks: [...served.operator.locks()].map(([address, untilMs]) => {
      return { address, until: isoOf(untilMs) };
    }),
    faults: network.faults.list().map(faultOf),
    webSockets: network.sockets,
    counts: served.counts(),
  };
}

/** The exchange's time. */
export function timeOf({ time }: OperatedExchange): object {
  const nowMs = time.clock.now();
  const { mode, scale } = time;
  return { mode, scale, nowMs, now: isoOf(nowMs), behindMs: time.behindMs() };
}

/** A fault, and how often it has hit. */
export function faultOf({ id, fault, hits, left, untilMs }: InjectedFault): object {
  const until = untilMs === undefined ? {} : { until: isoOf(untilMs) };
  return { id, ...fault, hits, ...(left !== undefined && { left }), ...until };
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
