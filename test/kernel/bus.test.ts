import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { config, type Observer } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bus } from '../../src/kernel/index.ts';
import { depthNote, type Note, note } from './fixture.ts';

describe('Bus', () => {
  it('hands an event to recorders, then to the subscribers of its kind, then of its kind and market', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    bus.on('depth', 'btc_usdt').subscribe(() => seen.push('market'));
    bus.on('depth').subscribe(() => seen.push('kind'));
    bus.record(() => seen.push('all'));
    bus.publish(note(1));
    expect(seen).toEqual(['all', 'kind', 'market']);
  });

  it('keeps kinds and markets apart', () => {
    const bus = new Bus<Note>();
    const seen: number[] = [];
    bus.on('depth', 'btc_usdt').subscribe(({ id }) => seen.push(id));
    bus.publish(note(1, { market: 'eth_usdt' }));
    bus.publish(note(2, { kind: 'trade' }));
    bus.publish({ kind: 'depth', id: 3 });
    bus.publish(note(4));
    expect(seen).toEqual([4]);
  });

  it('queues what is published during a delivery behind it', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    bus.on('depth').subscribe(({ id }) => {
      seen.push(`first ${id}`);
      if (id === 1) bus.publish(note(2));
    });
    bus.on('depth').subscribe(({ id }) => seen.push(`second ${id}`));
    bus.publish(note(1));
    expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'second 2']);
  });

  it('tells which event is being delivered, a queued one in its turn', () => {
    const bus = new Bus<Note>();
    const told: (number | undefined)[] = [];
    bus.on('depth').subscribe(({ id }) => {
      if (id === 1) bus.publish(note(2));
      told.push(bus.delivered?.id);
    });
    bus.publish(note(1));
    told.push(bus.delivered?.id);
    expect(told).toEqual([1, 2, undefined]);
  });

  it('has a recorder see an event at its publishing, before any consequence of it', () => {
    const bus = new Bus<Note>();
    const steps: string[] = [];
    bus.record(({ id }) => steps.push(`recorded ${id}`));
    bus.on('depth').subscribe(() => {
      bus.publish(note(2, { kind: 'order' }));
      steps.push('request sent');
    });
    bus.on('order').subscribe(() => steps.push('order delivered'));
    bus.publish(note(1));
    expect(steps).toEqual(['recorded 1', 'recorded 2', 'request sent', 'order delivered']);
  });

  it('calls listeners in turn with subscribers, until they are let go of', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    bus.on('depth').subscribe(({ id }) => seen.push(`first ${id}`));
    const listening = bus.listen('depth', ({ id }) => seen.push(`second ${id}`));
    bus.on('depth').subscribe(({ id }) => seen.push(`third ${id}`));
    bus.publish(note(1));
    bus.publish(note(2, { kind: 'trade' }));
    listening.unsubscribe();
    bus.publish(note(3));
    expect(seen).toEqual(['first 1', 'second 1', 'third 1', 'first 3', 'third 3']);
  });
});

describe("Bus's recorders", () => {
  it('are spared the kinds that they leave out, known before or not', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    bus.publish(note(1));
    const recording = bus.record(
      ({ kind, id }) => seen.push(`some ${kind} ${id}`),
      new Set(['depth']),
    );
    bus.record(({ kind, id }) => seen.push(`all ${kind} ${id}`));
    bus.publish(note(2));
    bus.publish(note(3, { kind: 'trade' }));
    bus.publishAll([note(4), note(5, { kind: 'order' })]);
    recording.unsubscribe();
    bus.publish(note(6, { kind: 'trade' }));
    expect(seen).toEqual([
      ...['all depth 2', 'some trade 3', 'all trade 3', 'all depth 4'],
      ...['some order 5', 'all order 5', 'all trade 6'],
    ]);
  });
});

describe("Bus's channels", () => {
  it('reach who listens to the kind, and to its market, whoever came first', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    bus.on('depth', 'btc_usdt').subscribe(({ id }) => seen.push(`early ${id}`));
    const publish = bus.channel('depth', 'btc_usdt');
    bus.on('depth', 'btc_usdt').subscribe(({ id }) => seen.push(`late ${id}`));
    bus.on('depth', 'eth_usdt').subscribe(({ id }) => seen.push(`other ${id}`));
    bus.on('depth').subscribe(({ id }) => seen.push(`kind ${id}`));
    bus.record(({ id }) => seen.push(`recorder ${id}`));
    publish(depthNote(1));
    expect(seen).toEqual(['recorder 1', 'kind 1', 'early 1', 'late 1']);
  });

  it('keep to the one order of all that is published', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    const publish = bus.channel('depth', 'btc_usdt');
    bus.on('depth').subscribe(({ id }) => {
      seen.push(`first ${id}`);
      if (id > 1) return;
      bus.publish(note(2));
      publish(depthNote(3));
    });
    bus.on('depth').subscribe(({ id }) => seen.push(`second ${id}`));
    publish(depthNote(1));
    expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'second 2', 'first 3', 'second 3']);
  });
});

describe("Bus's deliveries", () => {
  it('lets go of an event that was queued once it is delivered', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const bus = new Bus<Note>();
    const queued: WeakRef<Note>[] = [];
    bus.on('trade').subscribe(() => {
      const event = note(2);
      queued.push(new WeakRef(event));
      bus.publish(event);
    });
    bus.publish(note(1, { kind: 'trade' }));
    // A target of a new reference lives until the end of its job.
    await setImmediate();
    collect();
    expect(queued.map((event) => event.deref())).toEqual([undefined]);
  });

  it('has one that subscribes during a delivery miss that event and see the next', () => {
    const bus = new Bus<Note>();
    const late: number[] = [];
    bus.on('depth').subscribe(({ id }) => {
      if (id === 1) bus.on('depth').subscribe((event) => late.push(event.id));
    });
    bus.publish(note(1));
    bus.publish(note(2));
    expect(late).toEqual([2]);
  });
});

type Hearing = (event: Note) => void;

describe.each<[string, (hear: Hearing) => Hearing | Partial<Observer<Note>>]>([
  ['a function', (hear) => hear],
  ['an observer', (next) => ({ next })],
])("Bus's subscriber, %s", (_name, as) => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    config.onUnhandledError = null;
    vi.useRealTimers();
  });

  it('that throws hears the next event, has it told as unhandled and keeps nothing from others', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    config.onUnhandledError = (thrown) => seen.push(`unhandled ${thrown}`);
    const failing = ({ id }: Note) => {
      seen.push(`first ${id}`);
      throw `of ${id}`;
    };
    bus.on('depth').subscribe(as(failing));
    bus.on('depth').subscribe(({ id }) => seen.push(`second ${id}`));
    bus.publish(note(1));
    bus.publish(note(2));
    expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'second 2']);
    vi.runAllTimers();
    expect(seen.slice(4)).toEqual(['unhandled of 1', 'unhandled of 2']);
  });

  it('hears nothing more once it was let go of, be it by one before it', () => {
    const bus = new Bus<Note>();
    const seen: number[] = [];
    bus.on('depth').subscribe(({ id }) => id === 2 && hearing.unsubscribe());
    const hearing = bus.on('depth').subscribe(as(({ id }) => seen.push(id)));
    for (const id of [1, 2, 3]) bus.publish(note(id));
    expect(seen).toEqual([1]);
    expect(hearing.closed).toBe(true);
  });
});

describe('Bus.publishAll', () => {
  it('has a recorder see events that belong together before any is delivered', () => {
    const bus = new Bus<Note>();
    const seen: string[] = [];
    bus.record(({ id }) => seen.push(`all ${id}`));
    bus.on('depth').subscribe(({ id }) => {
      seen.push(`kind ${id}`);
      if (id === 1) bus.publishAll([note(3), note(4)]);
    });
    bus.publishAll([note(1), note(2)]);
    bus.publish(note(5));
    const order = ['all 1', 'all 2', 'kind 1', 'all 3', 'all 4', 'kind 2', 'kind 3', 'kind 4'];
    expect(seen).toEqual([...order, 'all 5', 'kind 5']);
  });
});

describe("the bus's order", () => {
  it('is the same for all subscribers whatever is published in turn', () => {
    const kinds = ['depth', 'trade', 'order'] as const;
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 1, maxLength: 40 }), (children) => {
        const bus = new Bus<Note>();
        const before: number[] = [];
        const after: number[] = [];
        const recorded: number[] = [];
        let published = 0;
        const publish = (): void => {
          published++;
          bus.publish(note(published, { kind: kinds[published % 3]! }));
        };
        bus.record(({ id }) => recorded.push(id));
        for (const kind of kinds) bus.on(kind).subscribe(({ id }) => before.push(id));
        for (const kind of kinds) {
          bus.on(kind).subscribe(({ id }) => {
            for (let i = 0; i < (children[id] ?? 0); i++) publish();
          });
          bus.on(kind, 'btc_usdt').subscribe(({ id }) => after.push(id));
        }
        publish();
        const all = Array.from({ length: published }, (_, index) => index + 1);
        expect([recorded, before, after]).toEqual([all, all, all]);
      }),
      { seed: 4 },
    );
  });

  it('survives a subscriber who asks for a hundred thousand events in turn', () => {
    const bus = new Bus<Note>();
    let last = 0;
    bus.on('depth').subscribe(({ id }) => {
      last = id;
      if (id < 100_000) bus.publish(note(id + 1));
    });
    bus.publish(note(1));
    expect(last).toBe(100_000);
  });
});
