import { DRAWING } from './script/drawing.ts';
import { EQUITY } from './script/equity.ts';
import { PAGE } from './script/page.ts';
import { PRICE } from './script/price.ts';
import { UNPACKING } from './script/unpacking.ts';

const parts = [UNPACKING, DRAWING, EQUITY, PRICE, PAGE];

/**
 * What the page does in a browser: unpacks the data, draws the two charts, keeps their ranges
 * alike, shows the fills in sight, and switches between light and dark. No network.
 */
export const SCRIPT = `'use strict';\n(() => {${parts.join('')}})();`;
