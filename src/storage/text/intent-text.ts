import type { Intent, QuotesIntent, TargetIntent } from '../../domain/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';

const END = bytesOf('}');

/** Writes an intent as JSON. */
export function putIntent(to: TextBytes, intent: Intent): void {
  if (intent.kind === 'quotes') putQuotes(to, intent);
  else if (intent.kind === 'target') putTarget(to, intent);
  else to.add(JSON.stringify(intent));
}

const TARGET = bytesOf('{"kind":"target","market":');
const POSITION = bytesOf(',"position":');
const SLIPPAGE = bytesOf(',"slippage":');
const PRICE_LIMIT = bytesOf(',"priceLimit":');

function putTarget(to: TextBytes, { market, position, slippage, priceLimit }: TargetIntent): void {
  to.putText(TARGET, market);
  to.putNumber(POSITION, position);
  to.putNumber(SLIPPAGE, slippage);
  if (priceLimit !== undefined) to.putNumber(PRICE_LIMIT, priceLimit);
  to.put(END);
}

const QUOTES = bytesOf('{"kind":"quotes","market":');
const BIDS = bytesOf(',"bids":[');
const ASKS = bytesOf('],"asks":[');
const POST_ONLY = bytesOf('],"postOnly":true}');
const NOT_POST_ONLY = bytesOf('],"postOnly":false}');

function putQuotes(to: TextBytes, { market, bids, asks, postOnly }: QuotesIntent): void {
  to.putText(QUOTES, market);
  to.put(BIDS);
  putLevels(to, bids);
  to.put(ASKS);
  putLevels(to, asks);
  to.put(postOnly ? POST_ONLY : NOT_POST_ONLY);
}

const FIRST_PRICE = bytesOf('{"price":');
const NEXT_PRICE = bytesOf(',{"price":');
const AMOUNT = bytesOf(',"amount":');

function putLevels(to: TextBytes, levels: QuotesIntent['bids']): void {
  for (let at = 0; at < levels.length; at++) {
    to.putNumber(at === 0 ? FIRST_PRICE : NEXT_PRICE, levels[at]!.price);
    to.putNumber(AMOUNT, levels[at]!.amount);
    to.put(END);
  }
}
