import { type EventOf, isFinal, type Market } from '../../domain/index.ts';
import { messageOf } from '../../kernel/index.ts';
import type { JournalReader, RunBasis, RunRecord } from '../../storage/index.ts';
import { type DeploymentConfig, deploymentSchema } from '../config/deployment.ts';
import { readAs } from '../config/problems.ts';
import type { LocatedYaml } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { noSuchRun, readJournal } from '../journal/read-journal.ts';
import type { ReplayLedger } from './replay-ledger.ts';

/** A run in a journal, open for reading. */
export interface RecordedRun {
  readonly path: string;
  readonly reader: JournalReader;
  readonly record: RunRecord;
}

/** A recorded run that can be replayed. */
export interface ReplayableRun extends RecordedRun {
  readonly basis: RunBasis;
  readonly config: DeploymentConfig;
  /** The settings as the journal has them. */
  readonly yaml: LocatedYaml;
  readonly markets: ReadonlyMap<string, Market>;
}

const INSTEAD = 'a backtest is run again, not replayed';

/**
 * Opens a journal at one of its runs, by default the newest of a deployment.
 *
 * @throws {AppError} `journal`.
 */
export function openRecordedRun(path: string, run?: number): RecordedRun {
  const reader = readJournal(path, { instead: INSTEAD });
  const runs = reader.runs();
  const record = runs.findLast(({ id, isByHand }) => (run === undefined ? !isByHand : id === run));
  if (record !== undefined) return { path, reader, record };
  reader.close();
  throw noSuchRun({ path, runs }, run);
}

/** The run with its settings. @throws {AppError} `journal` when it cannot be replayed. */
export function replayable(run: RecordedRun): ReplayableRun {
  const { path, reader, record } = run;
  const refuse = (why: string): never => {
    throw new AppError('journal', `Cannot replay run ${record.id} of ${path}: ${why}`);
  };
  if (record.isByHand) return refuse('nothing ran: a person wrote into the journal');
  const basis = reader.basis(record.id);
  if (basis === undefined) {
    return refuse('it does not tell its seed and markets, a run of a newer version is wanted');
  }
  if (record.isPruned) return refuse('its market data was dropped since (journal.keepDays)');
  const yaml = { file: basis.file, value: basis.config, locate: () => `${path}, run ${record.id}` };
  const config = settingsIn(yaml, refuse);
  if (!config.journal.marketData) {
    return refuse('it was recorded without market data (journal.marketData: false)');
  }
  const markets = new Map(basis.markets.map((market) => [market.id, market]));
  return { ...run, basis, config, yaml, markets };
}

/** The recorded settings. They were valid once: wrong ones were changed since, or are too old. */
function settingsIn(yaml: LocatedYaml, refuse: (why: string) => never): DeploymentConfig {
  try {
    return readAs(deploymentSchema, yaml);
  } catch (thrown) {
    const wanted = 'those of an intact run of this version are wanted';
    return refuse(`it does not tell settings that can be used, ${wanted}:\n${messageOf(thrown)}`);
  }
}

/** The kinds of events that tell what a run left. */
const LEFT = ['order', 'fill', 'lateFee', 'adjustment'] as const;

/** Takes up what the runs before left, as the recorded run did: nothing where its exchange was new. */
export function takeUpEarlierRuns(
  { reader, record, config }: ReplayableRun,
  ledger: ReplayLedger,
): void {
  if (config.venue.kind === 'simulated') return;
  const left = new Map<string, EventOf<'order'>>();
  for (const { id: run } of reader.runs()) {
    if (run >= record.id) break;
    for (const { event } of reader.events({ run, kinds: LEFT })) {
      if (event.kind === 'fill') ledger.fold(event.fill);
      else if (event.kind === 'lateFee') ledger.fold(event.lateFee);
      else if (event.kind === 'adjustment') ledger.fold(event);
      else if (event.kind === 'order') {
        const { clientOrderId } = event.order;
        left.delete(clientOrderId);
        if (!isFinal(event.order)) left.set(clientOrderId, event);
      }
    }
  }
  for (const event of left.values()) ledger.take(event);
}
