import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import { createLogger } from '../../../src/app/log/logging.ts';
import { openSession } from '../../../src/app/session.ts';
import { pass } from '../../../src/app/time/drive.ts';
import { RehearsalClock } from '../../../src/app/time/rehearsal-clock.ts';
import { deploymentFile, keptLog, scratchFolder } from '../fixture.ts';

const START_MS = Date.UTC(2024, 0, 1);

export interface RecordingOptions {
  /** Settings in place of those of the usual deployment. */
  readonly settings?: Record<string, unknown>;
  /** Default: two minutes. */
  readonly durationMs?: number;
  /** How often the deployment runs. Default: once. */
  readonly runs?: number;
  /** Told of the journal's path while a run is about to stop. */
  readonly onEnd?: (path: string) => void;
}

/** A paper session on an exchange in process, on virtual time, with its journal on disk. */
export async function recordedSession(options: RecordingOptions = {}) {
  const { settings = {}, durationMs = 120_000, runs = 1 } = options;
  const path = join(scratchFolder(), 'test.journal');
  const { journal, ...others } = settings;
  const file = deploymentFile({ ...others, journal: { path, ...(journal as object) } });
  const { onEnd } = options;
  for (let run = 0; run < runs; run++) {
    await record(file, { durationMs, run, ...(onEnd && { onEnd: () => onEnd(path) }) });
  }
  return { path, file };
}

interface RunToRecord {
  readonly durationMs: number;
  readonly run: number;
  readonly onEnd?: () => void;
}

async function record(file: string, options: RunToRecord): Promise<void> {
  const clock = new RehearsalClock(START_MS + options.run * 3_600_000);
  const deployment = loadDeployment(file);
  const logger = createLogger(deployment.config.log, { target: keptLog(), clock });
  const session = await openSession(deployment, { clock, logger, seed: `seed ${options.run}` });
  try {
    await session.start();
    await pass(clock, { durationMs: options.durationMs, until: NEVER });
    options.onEnd?.();
    await session.stop({ reason: 'its time is over', outcome: 'success' });
  } finally {
    await session.close();
  }
}
