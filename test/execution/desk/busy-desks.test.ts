import { describe, expect, it } from 'vitest';
import { BusyDesks } from '../../../src/execution/desk/busy-desks.ts';
import type { Desk } from '../../../src/execution/desk/desk.ts';

const deskOf = (strategy: string) => ({ strategy }) as Desk;

function createBusy(...names: readonly string[]) {
  const desks = names.map(deskOf);
  const busy = new BusyDesks();
  for (const desk of desks) busy.add(desk);
  const line = () => busy.values().map(({ strategy }) => strategy);
  return { busy, desks, line };
}

describe('BusyDesks', () => {
  it('keeps the place of a desk that is added again', () => {
    const { busy, desks, line } = createBusy('one', 'other');
    busy.add(desks[0]!);
    expect(line()).toEqual(['one', 'other']);
  });

  it('puts whoever was served at the end of the line', () => {
    const { busy, desks, line } = createBusy('one', 'other', 'third');
    expect(line()).toEqual(['one', 'other', 'third']);
    busy.served(desks[0]!);
    expect(line()).toEqual(['other', 'third', 'one']);
  });

  it('takes up whoever was served, and is alone in the line or not in it', () => {
    const { busy, desks, line } = createBusy('one');
    busy.served(desks[0]!);
    expect(line()).toEqual(['one']);
    busy.served(deskOf('other'));
    expect(line()).toEqual(['one', 'other']);
  });

  it('leaves a list that was handed out alone', () => {
    const { busy, desks } = createBusy('one', 'other');
    const before = busy.values();
    busy.delete(desks[0]!);
    expect(before).toHaveLength(2);
    expect(busy.values()).toEqual([desks[1]]);
  });
});
