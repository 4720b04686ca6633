// Plain headings (`plainHeading`) of the columns of trades, the best names first.

export const TIMES = [
  // Of Bitstamp and Gemini, whose `timestamp` beside it is in seconds.
  ...['microtimestamp', 'timestampms'],
  ...['time', 'timestamp', 'ts', 't', 'unix', 'unixtimestamp'],
  ...['tradetime', 'transacttime', 'datetime', 'date'],
  // Of Gate.io, the first with a fraction.
  ...['createtimems', 'createtime'],
  // Of dYdX, bitFlyer, bitbank and Crypto Lake.
  ...['createdat', 'execdate', 'executedat', 'origintime'],
  // Of WhiteBIT, and of Polygon: the public feed's stamp before the exchange's.
  ...['tradetimestamp', 'siptimestamp', 'participanttimestamp'],
];
export const RECEIVED = ['localtimestamp', 'received', 'receivedtime'];
export const IDS = ['id', 'tradeid', 'tid', 'aggtradeid', 'trdmatchid', 'sequentialid'];
/** Amounts in either currency; if there are several, the prices decide. */
export const AMOUNTS = ['amount', 'size', 'quantity', 'qty', 'volume', 'vol', 'sz', 'tradevolume'];
/** The side of the taker in words. */
export const SIDES = ['side', 'takerside', 'aggressorside', 'direction', 'askbid'];
/** Whether the buyer was the maker; Kaiko says whether the taker sold, which is the same. */
export const BUYER_MAKERS = ['isbuyermaker', 'buyermaker', 'takersidesell'];
export const SYMBOLS = [
  ...['symbol', 'market', 'pair', 'ticker', 'instrumentname', 'instrument', 'instid', 'productid'],
  'currencypair',
];
