import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import type { Random } from '../../src/kernel/index.ts';
import type { Fate, Operation } from './exchange-model.ts';

export interface Weather {
  readonly random: Random;
  /** Nothing goes wrong otherwise. */
  readonly faulty: boolean;
  /** Nothing gets through. */
  readonly deaf: boolean;
}

/** What becomes of a request: mostly good, now and then each thing that hurts. */
export function drawFate(operation: Operation, { random, faulty, deaf }: Weather): Fate {
  const thereMs = 1 + random.integer(60);
  const backMs = 1 + random.integer(60);
  if (deaf) return { thereMs, backMs: 900, loss: 'lost' };
  if (!faulty) return { thereMs, backMs };
  const draw = random.next();
  if (draw < 0.05) return { thereMs, backMs: 2_000, loss: 'lost' };
  if (draw < 0.1) return { thereMs, backMs: random.integer(5_000), loss: 'silent' };
  if (draw < 0.11) return { loss: 'dead' };
  if (draw < 0.13) return { loss: 'unsent' };
  if (draw < 0.15) return { thereMs, backMs, refusal: failure('limited', CODES.tooFrequent) };
  if (draw < 0.17 && operation !== 'orders') {
    return { thereMs, backMs, refusal: failure('rejected', CODES.balance) };
  }
  if (draw < 0.18) return { thereMs: random.integer(6_000), backMs };
  if (draw < 0.2) return { thereMs, backMs: random.integer(14_000) };
  return { thereMs, backMs };
}

function failure(kind: 'limited' | 'rejected', code: number): ExchangeFailure {
  return new ExchangeFailure(kind, `Cannot do it: ${kind}`, { code });
}
