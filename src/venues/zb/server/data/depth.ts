import { publicOperation } from '../operation.ts';
import { defaulting, integer, market, optional, positive, required } from '../parameters.ts';
import { depthFields } from '../render/market-data.ts';

/** Levels a side at most, and where none are asked for. Source: contract, depth `size`. */
const LEVELS_MAX = 50;

/** The top of the book, or five levels a side merged to a step. */
export const depth = publicOperation({
  name: 'depth',
  parameters: {
    market: required(market),
    size: defaulting(integer(1, LEVELS_MAX), LEVELS_MAX),
    merge: optional(positive),
  },
  handle: ({ market: { id }, size, merge }, context) =>
    context.market.depth({ market: id, size, ...(merge === undefined ? {} : { merge }) }),
  render: (answer, { dialect }) => {
    const { sides, timestamp } = depthFields(answer, dialect);
    return `{${sides},${timestamp}}`;
  },
});
