import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/**
 * The sockets of one pool, which end by a reset (RST) where a request is given up.
 *
 * A socket that is closed as usual (FIN) leaves what was not acknowledged to the kernel, which goes
 * on sending it for up to two minutes: an order that nobody waits for any more would be placed when
 * the network comes back. A reset forgets all of that, whether or not it arrives itself.
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
    // A TLS socket can't be reset, the one below it can: that one is opened first, by itself.
    this.#connect({ ...options, protocol: 'http:', port }, (...[error, tcp]) => {
      if (error !== null) callback(error, null);
      else if (isPlain) callback(null, this.#resettable(tcp, tcp));
      else this.#encrypt(tcp, { options, callback });
    });
  };

  /** Whatever socket undici destroys for `abort` is reset. */
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
        // A reset destroys the socket in its turn: by then this is dealt with.
        this.#isResetting = false;
        tcp.resetAndDestroy();
      }
      return destroy(error);
    };
    return socket;
  }
}
