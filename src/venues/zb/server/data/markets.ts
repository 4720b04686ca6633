import { of } from 'rxjs';
import { publicOperation } from '../operation.ts';
import { renderMarkets } from '../render/market-data.ts';

/** The trading rules of all markets. */
export const markets = publicOperation({
  name: 'markets',
  parameters: {},
  handle: (_values, context) => of(context.markets),
  render: (all) => renderMarkets(all.all()),
});
