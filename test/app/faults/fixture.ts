import { Observable } from 'rxjs';
import { FaultyNetwork, faultSchema } from '../../../src/app/faults/index.ts';
import { seededRandom, VirtualClock } from '../../../src/kernel/index.ts';
import type {
  Answer,
  DialectName,
  PushConnection,
  ZbServer,
} from '../../../src/venues/zb/server/index.ts';

/** A network before a server that counts what reaches it and answers with the number. */
export function faultyNetwork({
  seed = 'test',
  dialect = 'documented',
}: {
  readonly seed?: string;
  readonly dialect?: DialectName;
} = {}) {
  const clock = new VirtualClock(1_000);
  const network = new FaultyNetwork({ clock, random: seededRandom(seed), dialect });
  const reached: string[] = [];
  let push: PushConnection | undefined;
  const server = network.before({
    handle: ({ target }) =>
      new Observable<Answer>((subscriber) => {
        reached.push(target);
        subscriber.next({ status: 200, body: `{"id":${reached.length}}` });
        subscriber.complete();
      }),
    open: (connection) => {
      push = connection;
      return {
        receive: (text) => connection.send(`answer to ${text}`),
        ping: (data) => connection.pong(data),
        end: () => {},
      };
    },
  } as Partial<ZbServer> as ZbServer);
  return {
    clock,
    network,
    reached,
    inject: (fault: object) => network.faults.inject(faultSchema.parse(fault)),
    /** What a client gets for a request: answers with their times, then how it ended. */
    ask(target = '/api/order?x=1') {
      const got: string[] = [];
      server.handle({ target, address: '10.0.0.1', userAgent: 'x' }).subscribe({
        next: ({ status, body }) => got.push(`${status} ${body}`),
        complete: () => got.push('end'),
      });
      return got;
    },
    /** A WebSocket and what arrives on it. */
    connect() {
      const frames: string[] = [];
      const session = server.open(
        {
          send: (text) => frames.push(text),
          pong: (data) => frames.push(`pong ${data}`),
          close: () => frames.push('closed'),
          bufferedBytes: 0,
        },
        '10.0.0.1',
      );
      const mine = push!;
      return { frames, session, push: (text: string) => mine.send(text) };
    },
  };
}
