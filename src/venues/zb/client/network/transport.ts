import type { Observable } from 'rxjs';
import type { WireAnswer } from '../../wire/index.ts';

/**
 * GET over the network, as a port: what stands below it may be undici or a simulated network.
 *
 * `get` sends when subscribed to, exactly once whatever happens, and answers with any status. It
 * fails with an ExchangeFailure alone: `unsent` where no byte of the request can have left,
 * `unknown` for everything else. Of a request that it has given up nothing leaves any more, by the
 * kernel neither; what has left may still arrive.
 */
export interface HttpTransport {
  /** `target`: path and query, such as `/data/v1/depth?market=btc_usdt`. */
  get(target: string): Observable<WireAnswer>;
  /** Lets what is under way end, then closes the sockets. */
  close(): Promise<void>;
}

/** What a socket tells its owner. After `closed` it tells nothing more. */
export interface SocketEvents {
  opened(): void;
  message(text: string): void;
  closed(reason: string): void;
}

/** One WebSocket connection, open or about to be. */
export interface Socket {
  /** Sends a text; may be called after `opened` alone. */
  send(text: string): void;
  /** Ends the connection at once, without waiting for the other side. */
  terminate(): void;
}

/** WebSocket connections, as a port. */
export interface SocketTransport {
  /** Starts to connect; never throws: a failure is told by `closed`, after this call returned. */
  open(url: string, events: SocketEvents): Socket;
}
