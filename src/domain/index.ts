export * from './events.ts';
export * from './fill.ts';
export * from './intent.ts';
export * from './market.ts';
export * from './market-data.ts';
export * from './order.ts';
export * from './order-news.ts';
