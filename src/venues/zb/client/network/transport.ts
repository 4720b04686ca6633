import type { Observable } from 'rxjs';
import type { WireAnswer } from '../../wire/index.ts';

/**
 * GET over the network, as a port, by undici or a simulated network.
 *
 * `get` sends when subscribed to, exactly once whatever happens, and answers with any status. It
 * fails only with an ExchangeFailure: `unsent` if no byte of the request can have left, else
 * `unknown`. After a request was given up, nothing of it leaves any more, not even from the
 * kernel's buffers; what has left may still arrive.
 */
export interface HttpTransport {
  /** `target`: path and query, such as `/data/v1/depth?market=btc_usdt`. */
  get(target: string): Observable<WireAnswer>;
  /** Lets what is under way end, then closes the sockets. */
  close(): Promise<void>;
}

/** The callbacks of a socket. None comes after `closed`. */
export interface SocketEvents {
  opened(): void;
  message(text: string): void;
  closed(reason: string): void;
}

/** One WebSocket connection, open or about to be. */
export interface Socket {
  /** Sends a text; only to be called after `opened`. */
  send(text: string): void;
  /** Ends the connection at once, without waiting for the other side. */
  terminate(): void;
}

/** WebSocket connections, as a port. */
export interface SocketTransport {
  /** Starts to connect. Never throws: a failure comes as `closed`, after this call has returned. */
  open(url: string, events: SocketEvents): Socket;
}
