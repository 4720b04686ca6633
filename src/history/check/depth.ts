import type { Dataset } from '../store/catalogue.ts';
import { DEPTH_EVENTS } from '../store/kinds.ts';
import type { Gap } from '../store/manifest.ts';
import { type DatasetOf, openScan } from '../store/scan.ts';
import { BestPrices } from './best-prices.ts';
import {
  type Fault,
  type FaultPlace,
  type Finding,
  finding,
  numbersText,
  PLACES_MAX,
} from './report.ts';

const MISSING = 'depth is missing until a snapshot';

/** Faults of depth: its gaps, and updates after which the book is crossed. */
export async function depthFindings(dataset: Dataset): Promise<Finding[]> {
  const found = new Places();
  const reasons = new Map(dataset.gaps.map((gap) => [gap.from, reasonOf(gap)]));
  const book = new BestPrices();
  let isKnown = true;
  let update = Number.NaN;
  let updateTime = 0;
  const finish = (): void => {
    if (!book.isCrossed) return;
    const best = [['bid', book.bid] as const, ['ask', book.ask] as const];
    found.add('crossed', updateTime, numbersText(best));
  };
  for await (const rows of openScan(dataset as DatasetOf<'depth'>)) {
    for (let row = 0; row < rows.time.length; row++) {
      const event = rows.event[row]!;
      const time = rows.time[row]!;
      const [price, amount] = [rows.price[row]!, rows.amount[row]!];
      if (rows.update[row] !== update) {
        finish();
        if (event === DEPTH_EVENTS.snapshot || event === DEPTH_EVENTS.gap) {
          book.clear();
          isKnown = event === DEPTH_EVENTS.snapshot;
        }
        update = rows.update[row]!;
        updateTime = time;
      }
      if (event === DEPTH_EVENTS.gap) found.add('gap', time, reasons.get(time) ?? MISSING);
      else if (price <= 0) found.add('zero price', time, numbersText([['price', price]]));
      else if (event !== DEPTH_EVENTS.trade && isKnown) book.set(rows.side[row]!, price, amount);
    }
  }
  finish();
  return found.findings();
}

function reasonOf({ reason, leftOut }: Gap): string {
  const left = leftOut === undefined ? '' : `, ${leftOut} changes are left out`;
  return `${reason}${left}; ${MISSING}`;
}

class Places {
  readonly #found = new Map<Fault, { count: number; places: FaultPlace[] }>();

  add(fault: Fault, time: number, detail: string): void {
    const found = this.#found.get(fault) ?? { count: 0, places: [] };
    this.#found.set(fault, found);
    found.count++;
    if (found.places.length < PLACES_MAX) found.places.push({ time, detail });
  }

  findings(): Finding[] {
    return [...this.#found].flatMap(([fault, { count, places }]) => finding(fault, count, places));
  }
}
