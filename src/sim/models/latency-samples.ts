import { SimulationError } from '../errors.ts';

/** Measured latencies, with the times of their measurement if the file has them. */
export interface LatencySamples {
  /** Milliseconds since the epoch, ascending. */
  readonly times: Float64Array | undefined;
  readonly latenciesMs: Float64Array;
}

/**
 * Reads measured latencies: a line each, `time,milliseconds` with the time in milliseconds since the
 * epoch, or milliseconds alone. Empty lines and one header line are skipped.
 *
 * @throws {SimulationError} naming the line that is no latency, negative or out of order.
 */
export function readLatencySamples(text: string, name: string): LatencySamples {
  const lines = text.split(/\r?\n/).map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const filled = lines.filter(({ line }) => line !== '');
  if (filled[0] !== undefined && /[a-z]/i.test(filled[0].line)) filled.shift();
  const rows = filled.map(({ line, number }) => readLine(line, { name, number }));
  if (rows.length === 0) throw broken(name, 'it holds no latency, at least one is wanted');
  const hasTimes = rows[0]!.time !== undefined;
  for (const [at, { time, number }] of rows.entries()) {
    if ((time !== undefined) !== hasTimes) {
      throw broken(
        `${name}:${number}`,
        'it has a time where others have none, or none, all or none are wanted',
      );
    }
    if (hasTimes && at > 0 && time! <= rows[at - 1]!.time!) {
      throw broken(
        `${name}:${number}`,
        `its time ${time} is not after the one before, rising ones are wanted`,
      );
    }
  }
  return {
    times: hasTimes ? Float64Array.from(rows, ({ time }) => time!) : undefined,
    latenciesMs: Float64Array.from(rows, ({ latencyMs }) => latencyMs),
  };
}

function readLine(line: string, { name, number }: { name: string; number: number }) {
  const fields = line
    .split(/[,;\t]/)
    .map((field) => (field.trim() === '' ? Number.NaN : Number(field)));
  const latencyMs = fields.at(-1)!;
  const time = fields.length === 2 ? fields[0]! : undefined;
  const isRead = fields.length <= 2 && Number.isFinite(latencyMs) && Number.isFinite(time ?? 0);
  if (!isRead)
    throw broken(`${name}:${number}`, `it is ${JSON.stringify(line)}, numbers are wanted`);
  if (latencyMs < 0) {
    throw broken(`${name}:${number}`, `it is ${latencyMs} ms, a latency of at least 0 is wanted`);
  }
  return { time, latencyMs, number };
}

function broken(place: string, what: string): SimulationError {
  return new SimulationError(`Cannot read the latencies of ${place}: ${what}`);
}
