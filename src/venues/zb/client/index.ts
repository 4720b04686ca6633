export type {
  CallParameters,
  Json,
  JsonFields,
  QuickDepth,
  QuickDepthLength,
} from '../wire/index.ts';
export { type ZbConfig, zbConfigSchema } from './config.ts';
export { connectZb, type ZbExchange, type ZbOptions } from './connect.ts';
export type { HttpTransport, Socket, SocketEvents, SocketTransport } from './transport.ts';
export { undiciTransport } from './undici-transport.ts';
export { UntoldOrders } from './untold-orders.ts';
export type { OrdersSnapshot, ZbChannels } from './venue-channels.ts';
export { wsTransport } from './ws-transport.ts';
