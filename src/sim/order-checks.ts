import { isClientOrderId } from '../domain/index.ts';
import { CODES, type ExchangeFailure, type PlaceRequest } from '../exchange/index.ts';
import { Decimal, multipleText, UNITS_MAX } from '../kernel/index.ts';
import { costOf, type MarketUnits } from './market-units.ts';
import { invalidArguments, rejection } from './refusals.ts';

type Terms = Pick<PlaceRequest, 'price' | 'amount' | 'clientOrderId'>;

/**
 * Checks the order of an account against the market's rules.
 *
 * @throws {ExchangeFailure} `rejected`, with the exchange's code for what is wrong.
 */
export function checkTerms(request: Terms, units: MarketUnits): void {
  checkName(request);
  const { market } = units;
  const price = unitsOf(request.price, units.priceFactor);
  if (!(price > 0)) throw wrongPrice(request.price, market.priceScale);
  const amount = unitsOf(request.amount, units.amountFactor);
  if (!(amount > 0)) {
    const step = `a positive ${multipleText(request.amount, market.amountScale)} is wanted`;
    throw wrongAmount(`the amount is ${request.amount}, ${step}`);
  }
  if (amount < units.minAmount) {
    throw wrongAmount(`the amount is ${request.amount}, at least ${market.minAmount} is wanted`);
  }
  if (isBelow(units.minValue, { price, amount })) {
    const value = request.price * request.amount;
    throw wrongAmount(`the value is ${value}, at least ${market.minSize} is wanted`);
  }
  if (Number.isNaN(costOf(units, { price, amount }))) throw tooLarge(request, units);
}

/** Whether price x amount is below `least`, compared exactly. */
function isBelow(least: number, { price, amount }: { price: number; amount: number }): boolean {
  const value = price * amount;
  if (value <= Number.MAX_SAFE_INTEGER) return value < least;
  return BigInt(price) * BigInt(amount) < BigInt(least);
}

/** A number as whole units, NaN when it is no exact multiple of one. */
function unitsOf(value: number, factor: number): number {
  const units = Math.round(value * factor);
  return units / factor === value && units < UNITS_MAX ? units : Number.NaN;
}

function checkName({ clientOrderId }: Terms): void {
  if (clientOrderId === undefined || isClientOrderId(clientOrderId)) return;
  throw invalidArguments(
    `Cannot place an order: its customerOrderId is ${clientOrderId}, ` +
      '4 to 36 letters or digits are wanted',
  );
}

function wrongPrice(price: number, scale: number): ExchangeFailure {
  const text = `the price is ${price}, a positive ${multipleText(price, scale)} is wanted`;
  return rejection(CODES.invalidPrice, `Cannot place an order: ${text}`);
}

function tooLarge({ price, amount }: Terms, { market, quoteScale }: MarketUnits): ExchangeFailure {
  const most = new Decimal(Number.MAX_SAFE_INTEGER, quoteScale).round(0, 'down');
  const room = `at most ${most} ${market.quote} is wanted: a wallet holds no more`;
  return wrongAmount(`the value is ${price * amount}, ${room}`);
}

function wrongAmount(text: string): ExchangeFailure {
  return rejection(CODES.invalidAmount, `Cannot place an order: ${text}`);
}
