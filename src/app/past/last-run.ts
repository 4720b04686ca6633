import type { JournalReader, RunRecord } from '../../storage/index.ts';

/** The newest run that may have traded. Runs by hand and refused starts do not count. */
export function lastRun(reader: JournalReader): RunRecord | undefined {
  return reader.runs().findLast((run) => !run.isByHand && mayHaveTraded(run, reader));
}

/** Whether a run may have traded: always if it was killed, else if its strategies ran. */
function mayHaveTraded({ id, ended }: RunRecord, reader: JournalReader): boolean {
  if (ended === undefined) return true;
  const told = reader.events({ run: id, kinds: ['run'] });
  return told.some(({ event }) => event.kind === 'run' && event.status === 'running');
}
