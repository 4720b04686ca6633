import type { JournalReader, RunRecord } from '../../storage/index.ts';

/** The newest run of a journal that may have traded: none by hand, nor a start that was refused. */
export function lastRun(reader: JournalReader): RunRecord | undefined {
  return reader.runs().findLast((run) => !run.isByHand && mayHaveTraded(run, reader));
}

/** Whether a run may have traded: a killed one may; one that ended tells if its strategies ran. */
function mayHaveTraded({ id, ended }: RunRecord, reader: JournalReader): boolean {
  if (ended === undefined) return true;
  const told = reader.events({ run: id, kinds: ['run'] });
  return told.some(({ event }) => event.kind === 'run' && event.status === 'running');
}
