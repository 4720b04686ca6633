import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { EVENT_KINDS } from '../../../src/storage/index.ts';
import { journalWith } from '../../app/journal/fixture.ts';
import { orderEvent, requestEvent, START_MS, tradeEvent } from '../../storage/events.ts';
import { line } from './fixture.ts';

const failure: TradingEvent = {
  ...{ kind: 'requestFailure', time: START_MS + 1, market: 'btc_usdt', operation: 'place' },
  ...{ outcome: 'unknown', reason: 'timed\u0007out' },
};

const ROWS = `
run  time                     kind            market    what
1    2024-01-01 00:00:00.000  order           btc_usdt  order1 open as 202401010000000001, buy 0.01 @ 42000.5 limit, maker bid1, by answer
1    2024-01-01 00:00:00.001  requestFailure  btc_usdt  place unknown: timed\\u{7}out
`;

describe('tradewind journal events', () => {
  it('shows what was done, a line each', async () => {
    const path = journalWith([{ events: [tradeEvent(0), orderEvent(), failure] }]);
    const { code, stdout } = await line(`journal events ${path}`);
    expect({ code, stdout: `\n${stdout}` }).toEqual({ code: 0, stdout: ROWS });
  });

  it('tells that there are older ones', async () => {
    const path = journalWith([{ events: Array.from({ length: 60 }, (_, at) => requestEvent(at)) }]);
    const { stdout } = await line(`journal events ${path}`);
    expect(stdout.split('\n')).toHaveLength(1 + 50 + 1 + 1);
    expect(stdout).toContain(
      '\nthe newest 50: --last and --every show more, --from and --to others\n',
    );
    const every = await line(`journal events ${path} --every`);
    expect(every.stdout.split('\n')).toHaveLength(1 + 60 + 1);
    expect((await line(`journal events ${path} --every --last 5`)).code).toBe(2);
  });

  it('tells of any number, below a head for each ten thousand', async () => {
    const events = Array.from({ length: 10_001 }, (_, at) => requestEvent(at));
    const { stdout } = await line(`journal events ${journalWith([{ events }])} --every`);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 10_000 + 1 + 1);
    expect(lines.at(-2)).toBe(lines[0]);
  });

  it('gives programs the events as the journal has them', async () => {
    const path = journalWith([{ events: [tradeEvent(0), failure] }]);
    const { json } = await line(`journal events ${path} --kind trade requestFailure --json`);
    expect(json()).toEqual({
      journal: path,
      events: [
        { run: 1, sequence: 1, event: tradeEvent(0) },
        { run: 1, sequence: 2, event: failure },
      ],
    });
  });

  it('names the kinds to whoever asks for none of them, and says where nothing is found', async () => {
    const path = journalWith([{ events: [failure] }]);
    const { code, stderr } = await line(`journal events ${path} --kind refusals`);
    expect(code).toBe(2);
    expect(stderr).toContain(EVENT_KINDS.join(', '));
    expect((await line(`journal events ${path} --kind refusal`)).stdout).toBe('no such event\n');
  });
});
