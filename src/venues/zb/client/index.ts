export { type ZbConfig, zbConfigSchema } from './config.ts';
export { connectZb, type ZbExchange, type ZbOptions } from './connect.ts';
export type { HttpTransport, Socket, SocketEvents, SocketTransport } from './transport.ts';
export { undiciTransport } from './undici-transport.ts';
export { wsTransport } from './ws-transport.ts';
