import { writeSync } from 'node:fs';
import { asyncScheduler } from 'rxjs';
import { FileJournal } from '../../src/storage/index.ts';
import { orderEvent, orderOf, requestEvent, START_MS, tradeEvent } from './events.ts';

// Run as a process of its own until it is killed: commits one order after the other, and reports
// each on stdout once it is on disk. Argument: the path of the journal.

const journal = new FileJournal({
  path: process.argv[2]!,
  clock: asyncScheduler,
  configHash: 'killed',
  durability: 'normal',
});
for (let id = 1; ; id++) {
  for (let trade = 0; trade < id % 7; trade++) journal.append(tradeEvent(trade));
  journal.append(requestEvent(START_MS));
  journal.append(orderEvent(orderOf({ clientOrderId: `order${id}`, createdTime: START_MS + id })));
  journal.commit();
  writeSync(1, `order${id}\n`);
}
