import { z } from 'zod';
import { type EventKind, intentOf, SIDES, type TradingEvent } from '../../domain/index.ts';
import { AppError } from '../errors.ts';

const text = z.string();
const number = z.number();
const desk = { time: number, market: text, strategy: text };
const terms = { market: text, strategy: text, side: z.enum(SIDES), clientOrderId: text };
const booking = z.looseObject({
  ...{ ...terms, price: number, time: number, feeCurrency: text },
});
const order = z.looseObject({
  ...{ ...terms, status: text, tag: text, createdTime: number, changedTime: number.optional() },
  ...{ price: number, code: z.unknown().optional() },
});

/** The fields that a comparison reads, by kind of event; of other kinds it reads none. */
const READ = {
  intent: z.looseObject({
    ...desk,
    intent: z.custom((wish) => typeof intentOf(wish) !== 'string'),
  }),
  refusal: z.looseObject({ time: number, refusal: z.looseObject({ code: text }) }),
  strategy: z.looseObject({ time: number, strategy: text, status: text, reason: text }),
  tradingState: z.looseObject({ time: number, state: text, reason: text }),
  order: z.looseObject({ time: number, order }),
  fill: z.looseObject({ time: number, fill: booking.extend({ amount: number }) }),
  lateFee: z.looseObject({ time: number, lateFee: booking }),
  request: z.looseObject({ time: number, waitedMs: number }),
} as const satisfies Partial<Record<EventKind, z.ZodType>>;

const OTHER = z.looseObject({ kind: text });

export const COMPARED_KINDS = Object.keys(READ) as (keyof typeof READ)[];

/**
 * Returns the event if the fields that a comparison reads are intact. `place`: such as
 * `run/journal.jsonl: line 7`.
 *
 * @throws {AppError} `journal`, naming the place and the damaged field.
 */
export function compared(event: TradingEvent, place: string): TradingEvent {
  const schema: z.ZodType = READ[event.kind as keyof typeof READ] ?? OTHER;
  const issue = schema.safeParse(event).error?.issues[0];
  if (issue === undefined) return event;
  const field = issue.path.join('.');
  const what = `${field === '' ? 'is no event' : `is damaged at ${field}`}, an intact journal is wanted`;
  throw new AppError('journal', `Cannot compare ${place} ${what}`);
}
