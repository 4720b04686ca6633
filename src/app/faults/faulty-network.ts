import { defer } from 'rxjs';
import type { Clock, Random } from '../../kernel/index.ts';
import type { DialectName, PushConnection, ZbServer } from '../../venues/zb/server/index.ts';
import { FaultBoard } from './fault-board.ts';
import { hitBy } from './faulty-requests.ts';
import { FaultySocket } from './faulty-socket.ts';

/** The network between clients and the exchange, which can fail. */
export class FaultyNetwork {
  readonly faults: FaultBoard;
  readonly #clock: Clock;
  readonly #dialect: DialectName;
  readonly #sockets = new Set<FaultySocket>();

  /**
   * `clock`: the callers' time. `dialect`: as the exchange speaks; documented by default. The same
   * seed hits the same requests.
   */
  constructor(parts: {
    readonly clock: Clock;
    readonly random: Random;
    readonly dialect?: DialectName;
  }) {
    this.faults = new FaultBoard(parts);
    this.#clock = parts.clock;
    this.#dialect = parts.dialect ?? 'documented';
  }

  /** WebSockets that are open. */
  get sockets(): number {
    return this.#sockets.size;
  }

  /** Ends every WebSocket. Returns how many there were. */
  dropSockets(): number {
    const open = [...this.#sockets];
    for (const socket of open) socket.close();
    return open.length;
  }

  /** The same exchange, as it is seen through this network. */
  before(zb: ZbServer): ZbServer {
    return {
      ...zb,
      handle: (request) =>
        defer(() => {
          const fault = this.faults.hitRequest(operationOf(request.target));
          const answer = zb.handle(request);
          return fault === undefined
            ? answer
            : hitBy(fault, { answer, clock: this.#clock, dialect: this.#dialect });
        }),
      open: (connection, address) => this.#open(zb, { connection, address }),
    };
  }

  #open(
    zb: ZbServer,
    { connection, address }: { connection: PushConnection; address: string },
  ): ReturnType<ZbServer['open']> {
    const socket = new FaultySocket(connection, this.faults);
    const session = zb.open(socket, address);
    this.#sockets.add(socket);
    if (this.faults.hitPush('socketsDropped') !== undefined) socket.close();
    return {
      receive: (text) => socket.answer(() => session.receive(text)),
      ping: (data) => session.ping(data),
      end: () => {
        this.#sockets.delete(socket);
        session.end();
      },
    };
  }
}

/** The last piece of the path: `order` of `/api/order?...`. */
function operationOf(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.slice(path.lastIndexOf('/') + 1);
}
