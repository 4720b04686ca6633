import { TradewindError } from '../../../kernel/index.ts';

/** An address, a key, a parameter or a text from the wire cannot be used. */
export class WireError extends TradewindError {
  override readonly name = 'WireError';
}
