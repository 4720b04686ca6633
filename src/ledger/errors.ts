import { TradewindError } from '../kernel/index.ts';

/** The ledger was asked for something that its orders, balances or positions do not allow. */
export class LedgerError extends TradewindError {
  override readonly name = 'LedgerError';
}
