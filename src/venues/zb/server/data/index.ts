import { tableOf } from '../operation.ts';
import { allTicker } from './all-ticker.ts';
import { depth } from './depth.ts';
import { kline } from './kline.ts';
import { markets } from './markets.ts';
import { ticker } from './ticker.ts';
import { trades } from './trades.ts';

/** Every operation of the market data, by the name that its path ends with. */
export const PUBLIC_OPERATIONS = tableOf([markets, ticker, allTicker, depth, trades, kline]);
