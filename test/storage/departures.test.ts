import { describe, expect, it } from 'vitest';
import type { OrderState, TradingEvent } from '../../src/domain/index.ts';
import { type Disk, machineDisk } from '../../src/storage/disk.ts';
import { orderEvent, orderOf, requestEvent, START_MS } from './events.ts';
import { copyJournal, eventsIn, journalOf, killedRun, memoryOf, scratchPath } from './fixture.ts';

function stateOf(clientOrderId: string, status: OrderState['status']): TradingEvent {
  return orderEvent({ ...orderOf({ clientOrderId }), status } as OrderState);
}

/** The id and status of an order's event; the kind of any other event. */
function briefOf(event: TradingEvent): string {
  return event.kind === 'order' ? `${event.order.clientOrderId} ${event.order.status}` : event.kind;
}

/** The ids in the log beside a journal, in their order. */
function departed(path: string): string[] {
  const lines = machineDisk.readLog(`${path}.departures`).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).order.clientOrderId);
}

/** The ids of the orders that a restart would take over if the process were killed now. */
function livingAfterKill(path: string): string[] {
  return memoryOf(copyJournal(path)).liveOrders.map((order) => order.clientOrderId);
}

describe('Departures', () => {
  it('hold each order that is about to leave, and no other state, until the journal has it', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    const told: TradingEvent[] = [];
    const append = (event: TradingEvent): void => {
      told.push(event);
      journal.append(event);
    };
    const living: string[] = [];
    for (const round of ['first', 'second']) {
      for (const id of [`${round}1`, `${round}2`]) {
        append(stateOf(id, 'pending'));
        journal.commitOrders();
        append(stateOf(id, 'open'));
        journal.commitOrders();
        living.push(id);
        expect(livingAfterKill(path).sort()).toEqual(living);
        append(requestEvent(START_MS));
      }
      expect(departed(path)).toEqual([`${round}1`, `${round}2`]);
      journal.commit();
      expect(departed(path)).toEqual([]);
    }
    journal.close();
    expect(eventsIn(path).map(briefOf)).toEqual(told.map(briefOf));
  });

  it('are the first events of the next run where the journal had them not', () => {
    const killed = killedRun([stateOf('order1', 'pending')], 'commitOrders');
    journalOf({ path: killed }).close();
    expect(departed(killed)).toEqual([]);
    expect(eventsIn(killed).map(briefOf)).toEqual(['order1 pending']);
  });

  it.each([
    ['full', 2],
    ['normal', 0],
  ] as const)('survive a loss of power where the durability is %s', (durability, syncs) => {
    const told = { syncs: 0, sql: [] as string[] };
    const disk: Disk = {
      ...machineDisk,
      open: (path, mode) => {
        const file = machineDisk.open(path, mode);
        const execute = (sql: string): void => {
          told.sql.push(sql);
          file.execute(sql);
        };
        return { ...file, execute };
      },
      openLog: (path) => {
        const log = machineDisk.openLog(path);
        const sync = (): void => {
          told.syncs++;
          log.sync();
        };
        return { ...log, sync };
      },
    };
    const journal = journalOf({ disk, durability });
    for (const id of ['order1', 'order2']) {
      journal.append(stateOf(id, 'pending'));
      journal.commitOrders();
    }
    journal.close();
    expect(told.syncs).toBe(syncs);
    expect(told.sql).toContain(`PRAGMA synchronous = ${durability.toUpperCase()}`);
  });
});

describe('Departures of many orders', () => {
  it('are all there after a kill where many leave at once', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    const ids = Array.from({ length: 60 }, (_, at) => `order${at}`);
    for (const id of ids) journal.append(stateOf(id, 'pending'));
    journal.commitOrders();
    expect(livingAfterKill(path)).toEqual(ids);
    journal.close();
  });
});
