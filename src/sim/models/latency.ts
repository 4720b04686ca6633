import type { Random } from '../../kernel/index.ts';
import { SimulationError } from '../errors.ts';
import type { OrderLatencySettings } from './latency-config.ts';
import type { LatencySamples } from './latency-samples.ts';

/** How long something that leaves at `timeMs` takes: milliseconds, never negative. */
export type LatencyModel = (timeMs: number) => number;

/** A latency, and what it models and leaves out: whole sentences for the report. */
export interface StatedLatency {
  readonly next: LatencyModel;
  readonly confession: string;
}

export interface LatencyOptions {
  /** The subject of the confession, such as `A request`. */
  readonly subject: string;
  readonly random: Random;
  /** The contents of the file that `measured` names. */
  readonly samples?: LatencySamples | undefined;
}

/** The latency that settings ask for. @throws {SimulationError} without the samples they name. */
export function openLatency(
  settings: OrderLatencySettings,
  { subject, random, samples }: LatencyOptions,
): StatedLatency {
  if (typeof settings === 'number') return constantLatency(settings, subject);
  if ('constantMs' in settings) return constantLatency(settings.constantMs, subject);
  if ('lognormal' in settings) {
    const { medianMs, sigma, leastMs } = settings.lognormal;
    return {
      next: () => Math.max(leastMs, medianMs * Math.exp(sigma * random.normal())),
      confession:
        `${subject} takes a time drawn from a lognormal distribution with a median of ` +
        `${medianMs} ms; draws are independent, so bursts of slowness are not modelled.`,
    };
  }
  if ('samplesMs' in settings) {
    const { samplesMs } = settings;
    return {
      next: () => samplesMs[random.integer(samplesMs.length)]!,
      confession:
        `${subject} takes a time drawn from ${samplesMs.length} given ones; draws are ` +
        'independent, so bursts of slowness are not modelled.',
    };
  }
  if (samples === undefined) {
    throw new SimulationError(
      `Cannot open the latency ${settings.measured}: its samples are missing, those are wanted`,
    );
  }
  return measuredLatency(samples, { subject, random });
}

function constantLatency(constantMs: number, subject: string): StatedLatency {
  const taking = constantMs === 0 ? 'no time at all' : `${constantMs} ms, always`;
  return { next: () => constantMs, confession: `${subject} takes ${taking}.` };
}

/** Between samples with times the latency is interpolated linearly; others are drawn. */
function measuredLatency(
  { times, latenciesMs }: LatencySamples,
  { subject, random }: LatencyOptions,
): StatedLatency {
  const count = latenciesMs.length;
  if (times === undefined) {
    return {
      next: () => latenciesMs[random.integer(count)]!,
      confession: `${subject} takes a time drawn from ${count} measured ones, not in their order.`,
    };
  }
  let at = 0;
  const next: LatencyModel = (timeMs) => {
    if (timeMs < times[at]!) at = 0;
    while (at + 1 < count && times[at + 1]! <= timeMs) at++;
    const here = latenciesMs[at]!;
    if (at + 1 === count || timeMs <= times[at]!) return here;
    const part = (timeMs - times[at]!) / (times[at + 1]! - times[at]!);
    return here + part * (latenciesMs[at + 1]! - here);
  };
  return {
    next,
    confession:
      `${subject} takes what was measured at that time, interpolated between ${count} ` +
      'measurements; before the first and after the last it takes as long as that one.',
  };
}
