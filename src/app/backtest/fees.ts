import { z } from 'zod';
import type { OrderCharges } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { ofPlaces, rateSchema } from '../config/places.ts';

const HUNDRED = Decimal.of(100);
const money = ofPlaces(z.number().min(0).max(1_000_000), { scale: 8, what: 'a number' });

/** Fees of the simulated exchange. */
export const feesSchema = z
  .strictObject({
    maker: rateSchema
      .optional()
      .describe("Fee of resting orders, a fraction. Default: the deployment's own."),
    taker: rateSchema
      .optional()
      .describe("Fee of taking orders, a fraction. Default: the deployment's own."),
    in: z
      .enum(['received', 'quote', 'base'])
      .default('received')
      .describe(
        'The currency in which fees are taken. received: out of what a trade brings in, as ' +
          'the exchange does; quote or base: always that currency, on top if the trade does ' +
          'not bring it in.',
      ),
    perOrder: money
      .optional()
      .describe('Charged once an order, with its first fill, in the quote currency.'),
    perUnit: money
      .optional()
      .describe('Charged for each unit of the base currency, in the quote currency.'),
    least: money
      .optional()
      .describe(
        'Least fee of an order, in the quote currency. All of it is charged with the first ' +
          'fill; later fills are charged only what the fee exceeds it by.',
      ),
    most: z
      .number()
      .positive()
      .max(1)
      .optional()
      .describe(
        'Most that the fee of an order may be, whatever `least` says, as a fraction of what it trades.',
      ),
    buyTax: rateSchema
      .optional()
      .describe('Tax on top of all that, a fraction of what a buy trades, such as a stamp duty.'),
    sellTax: rateSchema.optional().describe('The same tax on what a sell trades.'),
    scale: z
      .int()
      .min(0)
      .max(8)
      .optional()
      .describe(
        'Decimal places to which the fee of an order, and its tax, are rounded, to the nearest: 2 ' +
          'for cents. Default: rounded up to 8.',
      ),
  })
  .superRefine((fees, issues) => {
    if (fees.in === 'quote') return;
    for (const key of CHARGES) {
      if (!isSet(fees, key)) continue;
      const is = `it is money of the quote currency, and fees are taken in: ${fees.in}`;
      issues.addIssue({ code: 'custom', path: [key], message: `${is}, in: quote is wanted` });
    }
  });
type Fees = z.infer<typeof feesSchema>;

const CHARGES = ['perOrder', 'perUnit', 'least', 'most', 'buyTax', 'sellTax', 'scale'] as const;

/** Whether a charge is set to have an effect: `scale` has one even at 0, the others do not. */
function isSet(
  fees: Partial<Record<(typeof CHARGES)[number], number | undefined>>,
  key: (typeof CHARGES)[number],
): boolean {
  return key === 'scale' ? fees.scale !== undefined : (fees[key] ?? 0) !== 0;
}

/** What orders are charged beyond the fee rates; undefined: nothing. */
export function chargesOf(fees: Fees): OrderCharges | undefined {
  if (!CHARGES.some((key) => isSet(fees, key))) return undefined;
  const { perOrder = 0, perUnit = 0, least = 0, most, buyTax, sellTax, scale } = fees;
  return {
    ...{ perOrder: Decimal.of(perOrder), perUnit: Decimal.of(perUnit), least: Decimal.of(least) },
    ...{ most: rateOf(most), buyTax: rateOf(buyTax), sellTax: rateOf(sellTax), scale },
  };
}

const rateOf = (rate: number | undefined) => (rate === undefined ? undefined : Decimal.of(rate));

/** What a run confesses about the charges: a whole sentence, or nothing. */
export function chargesText(fees: Fees, quote: string): string[] {
  const charges = chargesOf(fees);
  if (charges === undefined) return [];
  const { perOrder, perUnit, least, most, buyTax, sellTax, scale } = charges;
  const parts = [
    ...(perOrder.sign > 0 ? [`${perOrder} ${quote} once`] : []),
    ...(perUnit.sign > 0 ? [`${perUnit} ${quote} for each unit`] : []),
    ...(least.sign > 0 ? [`at least ${least} ${quote}, due with its first fill`] : []),
    ...(most === undefined ? [] : [`at most ${most.times(HUNDRED)} % of what it trades`]),
    ...taxText(buyTax, 'buys'),
    ...taxText(sellTax, 'sells'),
  ];
  const beside =
    parts.length > 0 ? `On top of the rates an order is charged ${parts.join('; ')}. ` : '';
  const rounded =
    scale === undefined ? '' : `Its fee is rounded to the nearest of ${scale} decimal places. `;
  return [
    `${beside}${rounded}A sell pays its fee out of its proceeds, then out of the free balance; a rest ` +
      'is charged with its next fills, or never if there are none.',
  ];
}

function taxText(tax: Decimal | undefined, what: string): string[] {
  return (tax?.sign ?? 0) === 0 ? [] : [`${tax!.times(HUNDRED)} % of what it ${what} as a tax`];
}
