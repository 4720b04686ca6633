export type {
  CallParameters,
  Json,
  JsonFields,
  QuickDepth,
  QuickDepthLength,
} from '../wire/index.ts';
export { type ZbConfig, zbConfigSchema } from './config.ts';
export { connectZb, type ZbExchange, type ZbOptions } from './connect.ts';
export type { HttpTransport, Socket, SocketEvents, SocketTransport } from './network/transport.ts';
export { undiciTransport } from './network/undici-transport.ts';
export { wsTransport } from './network/ws-transport.ts';
export type { OrdersSnapshot, ZbChannels } from './push/venue-channels.ts';
export { UnseenOrders } from './rest/unseen-orders.ts';
