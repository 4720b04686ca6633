import { once } from 'node:events';
import { DEFAULT_PUSH_BOUNDS } from './config.ts';
import type { ServerCounts } from './counts.ts';
import { dialectOf } from './dialect.ts';
import { httpServer, listen } from './http.ts';
import type { ServerOperator } from './operator.ts';
import { type ZbServer, type ZbServerOptions, zbServer } from './server.ts';
import { acceptSockets } from './sockets.ts';

/** How an exchange is served on the network. */
export interface ServeZbOptions extends ZbServerOptions {
  /** TCP port; 0 takes any free one. */
  readonly port: number;
  /** The setting or flag of the port, for the message that it is in use. Default: not named. */
  readonly portSetting?: string;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly hostAddress?: string | undefined;
  /** Wraps the exchange before it is served, for instance to break something. Default: nothing. */
  readonly between?: ((zb: ZbServer) => ZbServer) | undefined;
}

/** An exchange on the network. */
export interface ServedZb {
  readonly port: number;
  /** Base of the market data: `/data/v1/...` follows. */
  readonly dataUrl: string;
  /** Base of the signed operations: `/api/...` follows. */
  readonly tradeUrl: string;
  /** Address of the WebSocket. */
  readonly pushUrl: string;
  /** What has arrived so far. */
  counts(): ServerCounts;
  readonly operator: ServerOperator;
  /** Ends every connection and stops listening. May be called again. */
  close(): Promise<void>;
}

/**
 * Serves an exchange over HTTP and WebSocket.
 *
 * @throws {ServerError} when the port is in use or the keys do not fit the exchange.
 */
export async function serveZb(options: ServeZbOptions): Promise<ServedZb> {
  const { logger, hostAddress: address = '127.0.0.1' } = options;
  const { between = (same) => same } = options;
  const zb = between(zbServer(options));
  const dialect = dialectOf(options.dialect);
  const server = httpServer(zb, dialect);
  const bounds = options.push ?? DEFAULT_PUSH_BOUNDS;
  const endSockets = acceptSockets(server, { zb, logger, bounds });
  const port = await listen(server, {
    port: options.port,
    address,
    portSetting: options.portSetting,
  });
  const authority = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  logger.debug({ address, port, dialect: dialect.name }, 'exchange served');
  return {
    port,
    dataUrl: `http://${authority}`,
    tradeUrl: `http://${authority}`,
    pushUrl: `ws://${authority}/websocket`,
    counts: () => zb.counts(),
    operator: zb.operator,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      endSockets();
      server.closeAllConnections();
      await closed;
    },
  };
}
