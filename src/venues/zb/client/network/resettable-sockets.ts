import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/**
 * The sockets of one pool, which are reset (RST) when a request is given up.
 *
 * A socket that is closed normally (FIN) leaves unacknowledged bytes to the kernel, which goes on
 * sending them for up to two minutes: an order that nobody waits for any more would be placed when
 * the network comes back. A reset drops those bytes, whether or not it arrives itself.
 */
export class ResettableSockets {
  readonly #connect: buildConnector.connector;
  #isResetting = false;

  /** `timeoutMs`: longest time for a connection, and again for the encryption on top of it. */
  constructor(timeoutMs: number) {
    this.#connect = buildConnector({ allowH2: false, timeout: timeoutMs });
  }

  /** Opens a socket: undici's option `connect`. */
  readonly connect: buildConnector.connector = (options, callback) => {
    const isPlain = options.protocol === 'http:';
    const port = options.port || (isPlain ? '80' : '443');
    // A TLS socket can't be reset, only the TCP socket below it: so that one is opened first.
    this.#connect({ ...options, protocol: 'http:', port }, (...[error, tcp]) => {
      if (error !== null) callback(error, null);
      else if (isPlain) callback(null, this.#resettable(tcp, tcp));
      else this.#encrypt(tcp, { options, callback });
    });
  };

  /** Calls `abort`, and resets the socket that undici destroys for it. */
  reset(abort: () => void): void {
    this.#isResetting = true;
    try {
      abort();
    } finally {
      this.#isResetting = false;
    }
  }

  #encrypt(
    tcp: Socket,
    { options, callback }: { options: buildConnector.Options; callback: buildConnector.Callback },
  ): void {
    this.#connect({ ...options, httpSocket: tcp }, (...[error, tls]) => {
      if (error !== null) callback(error, null);
      else callback(null, this.#resettable(tls, tcp));
    });
  }

  /** The socket, whose connection is reset when it is destroyed during `reset`. */
  #resettable(socket: Socket, tcp: Socket): Socket {
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      if (this.#isResetting) {
        // The reset destroys the socket too, and so calls this again.
        this.#isResetting = false;
        tcp.resetAndDestroy();
      }
      return destroy(error);
    };
    return socket;
  }
}
