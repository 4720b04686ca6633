import { describe, expect, it } from 'vitest';
import { faultyNetwork } from './fixture.ts';

describe('FaultyNetwork with a fault of pushes', () => {
  it('pushesFrozen: pings are answered, news is not told, and not made up for later', () => {
    const { connect, inject, clock } = faultyNetwork();
    const { frames, session, push } = connect();
    inject({ kind: 'pushesFrozen', forMs: 1_000 });
    session.receive('ping');
    push('a');
    clock.advanceBy(1_000);
    push('b');
    expect(frames).toEqual(['answer to ping', 'b']);
  });

  it('socketsSilent: nothing comes at all', () => {
    const { connect, inject, clock } = faultyNetwork();
    const { frames, session, push } = connect();
    inject({ kind: 'socketsSilent', forMs: 1_000 });
    const ping = () => {
      session.receive('ping');
      session.ping(Buffer.from('abc'));
    };
    ping();
    push('a');
    clock.advanceBy(1_000);
    ping();
    expect(frames).toEqual(['answer to ping', 'pong abc']);
  });

  it('pushesLost and pushesDuplicated: one each, answers are spared', () => {
    const { connect, inject } = faultyNetwork();
    const { frames, session, push } = connect();
    inject({ kind: 'pushesLost' });
    inject({ kind: 'pushesDuplicated' });
    session.receive('ping');
    for (const text of ['a', 'b', 'c']) push(text);
    expect(frames).toEqual(['answer to ping', 'b', 'b', 'c']);
  });

  it('socketsDropped: new connections end at once while it lasts', () => {
    const { connect, inject, clock } = faultyNetwork();
    inject({ kind: 'socketsDropped', forMs: 1_000 });
    expect([connect().frames, connect().frames]).toEqual([['closed'], ['closed']]);
    clock.advanceBy(1_000);
    expect(connect().frames).toEqual([]);
  });

  it('drops all that are open, and counts them', () => {
    const { connect, network } = faultyNetwork();
    const [one, two] = [connect(), connect()];
    two.session.end();
    expect(network.sockets).toBe(1);
    expect(network.dropSockets()).toBe(1);
    expect([one.frames, two.frames]).toEqual([['closed'], []]);
  });

  it('leaves requests alone, as faults of requests leave pushes alone', () => {
    const { ask, connect, inject } = faultyNetwork();
    inject({ kind: 'pushesLost' });
    expect(ask()[0]).toBe('200 {"id":1}');
    inject({ kind: 'busy' });
    const { frames, push } = connect();
    push('a');
    push('b');
    expect(frames).toEqual(['b']);
  });
});
