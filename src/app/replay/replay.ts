import { type EventKind, timeOf } from '../../domain/index.ts';
import { seededRandom, silentLogger } from '../../kernel/index.ts';
import type { JournalEntry, RunRecord } from '../../storage/index.ts';
import { asAppError } from '../errors.ts';
import { type LoadedDeployment, loadDeployment } from '../load-deployment.ts';
import { blotOf } from '../secrets.ts';
import { loadStrategies } from '../strategies/load-strategies.ts';
import { Alignments, type Difference } from './alignment.ts';
import { decisionOf } from './decision.ts';
import { publishedAsOne } from './published-as-one.ts';
import {
  openRecordedRun,
  type ReplayableRun,
  replayable,
  takeUpEarlierRuns,
} from './recorded-run.ts';
import { ReplayLedger } from './replay-ledger.ts';
import { ReplayStage } from './stage.ts';

export interface ReplayOptions {
  /** The file of the journal. */
  readonly path: string;
  /** Number of the run in it. Default: the newest. */
  readonly run?: number | undefined;
  /** A deployment's YAML file whose strategies play. Default: what the journal has recorded. */
  readonly configFile?: string | undefined;
  /** How many differences to keep; all are counted. Default: 10. */
  readonly limit?: number;
}

/** What a replay came to. */
export interface ReplayReport {
  readonly path: string;
  readonly run: RunRecord;
  readonly seed: string;
  /** The file whose strategies played, and the hash of its settings. */
  readonly config: { readonly file: string; readonly hash: string };
  /** Events that were given to the strategies, by kind. */
  readonly inputs: ReadonlyMap<EventKind, number>;
  /** How many decisions there were: wishes, and strategies that ended or failed. */
  readonly recorded: number;
  readonly replayed: number;
  readonly same: number;
  readonly differenceCount: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  /** Timers that went off in the recorded run and that no strategy had here. */
  readonly lostTimers: number;
}

const DIFFERENCES_KEPT = 10;

/**
 * Lets the strategies of a recorded run decide once more and compares, decision by decision.
 *
 * @throws {AppError} `journal` when the run is not there or cannot be replayed; `configuration`
 * when its strategies cannot be loaded.
 */
export async function replayRun(options: ReplayOptions): Promise<ReplayReport> {
  const opened = openRecordedRun(options.path, options.run);
  try {
    return await replayOpened(replayable(opened), options);
  } catch (thrown) {
    throw asAppError(thrown);
  } finally {
    opened.reader.close();
  }
}

async function replayOpened(run: ReplayableRun, options: ReplayOptions): Promise<ReplayReport> {
  const { path, record, basis, markets } = run;
  const deployment = deploymentOf(run, options.configFile);
  const { config, yaml, configHash } = deployment;
  const strategies = await loadStrategies({ entries: config.strategies, yaml }, markets);
  const ledger = new ReplayLedger(markets);
  takeUpEarlierRuns(run, ledger);
  const { limit = DIFFERENCES_KEPT } = options;
  const differences: Difference[] = [];
  let differenceCount = 0;
  const comparison = new Alignments((difference) => {
    if (++differenceCount <= limit) differences.push(difference);
  });
  const stage = new ReplayStage({
    ...{ markets, strategies, ledger, logger: silentLogger, blot: blotOf(config) },
    random: seededRandom(basis.seed).fork('strategies'),
    onDecision: (decision) => comparison.add('replayed', decision),
  });
  const inputs = playAll(run.reader.events({ run: record.id }), { stage, comparison });
  const { lostTimers } = stage;
  const { seed } = basis;
  const played = { file: yaml.file, hash: configHash };
  const compared = { ...comparison.end(), differenceCount, differences };
  return { path, run: record, seed, config: played, inputs, lostTimers, ...compared };
}

function deploymentOf({ record, config, yaml }: ReplayableRun, file?: string): LoadedDeployment {
  return file === undefined
    ? { config, yaml, configHash: record.configHash }
    : loadDeployment(file);
}

/** Plays every event, in one pass over the journal: as little is kept as the comparison needs. */
function playAll(
  entries: Iterable<JournalEntry>,
  { stage, comparison }: { stage: ReplayStage; comparison: Alignments },
): Map<EventKind, number> {
  const inputs = new Map<EventKind, number>();
  for (const run of publishedAsOne(entries)) {
    stage.book(run.map(({ event }) => event));
    for (const entry of run) {
      const { sequence, event } = entry;
      if (stage.play(entry)) inputs.set(event.kind, (inputs.get(event.kind) ?? 0) + 1);
      const decided = decisionOf(event);
      if (decided === undefined) continue;
      const made = { ...decided, sequence, time: timeOf(event), input: stage.input };
      comparison.add('recorded', made);
    }
  }
  return inputs;
}
