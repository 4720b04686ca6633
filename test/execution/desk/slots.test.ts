import { describe, expect, it } from 'vitest';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { Slots } from '../../../src/execution/desk/slots.ts';
import { amount, price } from '../exchange-model.ts';

function slotOf(tag: string): Slot {
  return new Slot({ side: 'buy', type: 'limit', price: price(100), amount: amount(1), tag });
}

/** One slot of each kind. */
function createSlots() {
  const slots = new Slots();
  const [quote, pursuing, tagged] = ['quotes/bid/0', 'target/', 'mine'].map(slotOf) as [
    Slot,
    Slot,
    Slot,
  ];
  slots.quotes = [quote];
  slots.pursuing = pursuing;
  slots.tagged.set('mine', tagged);
  return { slots, quote, pursuing, tagged };
}

/** The slot that stands for the same order in the next wish. */
function heirOf(former: Slot): Slot {
  const heir = slotOf(former.tag);
  heir.inherit(former);
  return heir;
}

describe('Slot.inherit', () => {
  it('waits as long as the slot before, and knows when that began', () => {
    const former = slotOf('quotes/bid/0');
    former.pause(5, 1_000);
    former.waitingSinceMs = 4;
    const heir = heirOf(former);
    expect(heir).toMatchObject({ notBeforeMs: 1_005, waitingSinceMs: 4 });
    expect(heir.endPause(5)).toBe(false);
    expect(heir.endPause(6)).toBe(true);
  });

  it('was refused as often as the slot before, and when that was', () => {
    const former = slotOf('quotes/bid/0');
    former.refuse(0, 100);
    const refused = heirOf(former);
    refused.refuse(100, 100);
    expect(refused.notBeforeMs).toBe(300);
    const reconsidered = heirOf(former);
    expect(reconsidered.reconsider(10)).toBe(true);
    expect(reconsidered.notBeforeMs).toBe(10);
  });
});

describe('Slots', () => {
  it('lists quotes, the order towards the target and tagged orders, as they are now', () => {
    const { slots, quote, pursuing, tagged } = createSlots();
    expect(slots.all()).toEqual([quote, pursuing, tagged]);
    slots.tagged.delete('mine');
    expect(slots.all()).toEqual([quote, pursuing]);
    slots.pursuing = undefined;
    expect(slots.all()).toEqual([quote]);
    slots.tagged.set('mine', tagged);
    expect(slots.all()).toEqual([quote, tagged]);
    slots.quotes = [];
    expect(slots.all()).toEqual([tagged]);
    slots.pursuing = pursuing;
    expect(slots.all()).toEqual([pursuing, tagged]);
    slots.clear();
    expect(slots.all()).toEqual([]);
  });

  it('tells when the first empty one of them may be tried again', () => {
    const { slots, quote, pursuing, tagged } = createSlots();
    expect(slots.pausesUntilMs(0)).toBe(Number.POSITIVE_INFINITY);
    tagged.pause(0, 30);
    quote.pause(0, 20);
    pursuing.pause(0, 10);
    expect(slots.pausesUntilMs(0)).toBe(10);
    expect(slots.pausesUntilMs(10)).toBe(20);
    quote.take('id');
    expect(slots.pausesUntilMs(10)).toBe(30);
  });

  it('has every one tried sooner, and tells whether any is', () => {
    const { slots, quote, tagged } = createSlots();
    expect(slots.reconsider(0)).toBe(false);
    for (const slot of [quote, tagged]) slot.refuse(5, 1_000);
    expect(slots.reconsider(10)).toBe(true);
    expect([quote.notBeforeMs, tagged.notBeforeMs]).toEqual([15, 15]);
  });

  it('ends every pause that began before now, and tells whether there was any', () => {
    const { slots, quote, tagged } = createSlots();
    expect(slots.endPauses(5)).toBe(false);
    for (const slot of [quote, tagged]) slot.pause(0, 1_000);
    expect(slots.endPauses(5)).toBe(true);
    expect([quote.notBeforeMs, tagged.notBeforeMs]).toEqual([5, 5]);
  });
});
