import { describe, expect, it } from 'vitest';
import { AlertDesk, type AlertDeskOptions } from '../../../src/app/alerts/alert-desk.ts';
import type { AlertLevel } from '../../../src/app/alerts/alert-text.ts';
import type { Posted } from '../../../src/app/alerts/post.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { toldFixture } from './fixture.ts';

const TAKEN: Posted = { kind: 'taken' };
const DOWN: Posted = { kind: 'failed', reason: 'connect ECONNREFUSED' };
const GONE: Posted = { kind: 'refused', status: 404, reason: 'it answered 404' };
const BUSY: Posted = { kind: 'refused', status: 429, reason: 'it answered 429' };

/** A desk whose posts end as `ends` says, one after the other; taken behind these. */
function deskFixture(ends: readonly Posted[] = [], overrides: Partial<AlertDeskOptions> = {}) {
  const clock = new VirtualClock(0);
  const { logger, told } = toldFixture();
  /** When each post left, and its alerts. */
  const posts: [number, ...string[]][] = [];
  const desk = new AlertDesk({
    ...{ clock, logger, pauseMs: 60_000, variable: 'HOOK' },
    post: (alerts, dropped) => {
      const texts = alerts.map(({ text }) => text);
      posts.push([clock.now(), ...texts, ...(dropped > 0 ? [`${dropped} dropped`] : [])]);
      return Promise.resolve(ends[posts.length - 1] ?? TAKEN);
    },
    ...overrides,
  });
  const tell = (text: string, level: AlertLevel = 'error'): void =>
    desk.tell({ time: clock.now(), level, text });
  /** What is due now leaves, and is answered. */
  const settle = (): Promise<void> => {
    clock.advanceBy(0);
    return new Promise((resolve) => setImmediate(resolve));
  };
  /** Time goes on, a second at a time. */
  const pass = async (ms: number): Promise<void> => {
    await settle();
    for (let at = 0; at < ms; at += 1_000) {
      clock.advanceBy(1_000);
      await settle();
    }
  };
  return { clock, desk, posts, tell, pass, told };
}

/** A desk whose posts are under way until they are answered. */
function slowFixture() {
  const sent: string[][] = [];
  let answer = (_posted: Posted): void => {};
  const post: AlertDeskOptions['post'] = (alerts) => {
    sent.push(alerts.map(({ text }) => text));
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  return { ...deskFixture([], { post }), sent, answer: (posted: Posted) => answer(posted) };
}

describe('AlertDesk', () => {
  it('posts the first alert at once, but never within what told it', async () => {
    const { posts, tell, pass } = deskFixture();
    tell('first');
    expect(posts).toEqual([]);
    await pass(0);
    expect(posts).toEqual([[0, 'first']]);
  });

  it('posts together what comes within the pause', async () => {
    const { posts, tell, pass } = deskFixture();
    tell('first');
    await pass(10_000);
    tell('second');
    tell('third');
    await pass(49_000);
    expect(posts).toHaveLength(1);
    await pass(1_000);
    expect(posts.slice(1)).toEqual([[60_000, 'second', 'third']]);
  });

  it('posts at once what comes behind the pause', async () => {
    const { posts, tell, pass } = deskFixture();
    tell('first');
    await pass(90_000);
    tell('second');
    await pass(0);
    expect(posts[1]).toEqual([90_000, 'second']);
  });
});

describe('AlertDesk, of posts that fail', () => {
  it.each([DOWN, BUSY])(
    'tries again what did not arrive, with what came since: %j',
    async (end) => {
      const { posts, tell, pass, told } = deskFixture([end, end]);
      tell('first');
      await pass(1_000);
      tell('second');
      await pass(60_000);
      expect(posts).toEqual([
        [0, 'first'],
        [5_000, 'first', 'second'],
        [15_000, 'first', 'second'],
      ]);
      const what = `warn Cannot post alerts to the address in HOOK: ${end.reason}`;
      expect(told).toEqual([`${what}; it is tried again`, 'info alerts are posted again']);
    },
  );

  it('gives up what the address refuses, and goes on with the next', async () => {
    const { posts, tell, pass, told } = deskFixture([GONE]);
    tell('first');
    await pass(1_000);
    tell('second');
    await pass(60_000);
    expect(posts).toEqual([
      [0, 'first'],
      [60_000, 'second'],
    ]);
    expect(told[0]).toBe(
      'warn Cannot post alerts to the address in HOOK: it answered 404; these alerts are only in the log',
    );
  });

  it('drops the oldest of too many, and counts them', async () => {
    const { posts, tell, pass } = deskFixture([DOWN]);
    for (let at = 0; at < 205; at++) tell(`${at}`);
    await pass(0);
    tell('205');
    await pass(6_000);
    expect(posts[0]!.slice(1, 3)).toEqual(['5', '6']);
    expect(posts[0]!.at(-1)).toBe('5 dropped');
    expect(posts[1]!.slice(1, 2)).toEqual(['6']);
    expect(posts[1]!.slice(-2)).toEqual(['205', '6 dropped']);
  });

  it('drops what only informs, such as a fill, ahead of trouble', async () => {
    const { posts, tell, pass } = deskFixture([DOWN]);
    tell('trading is halted');
    for (let at = 1; at <= 150; at++) tell(`fill ${at}`, 'info');
    await pass(0);
    for (let at = 151; at <= 300; at++) tell(`fill ${at}`, 'info');
    await pass(5_000);
    expect(posts[1]).toHaveLength(202);
    expect(posts[1]!.slice(1, 3)).toEqual(['trading is halted', 'fill 102']);
    expect(posts[1]!.at(-1)).toBe('101 dropped');
  });
});

describe('AlertDesk, of posts that take long', () => {
  it('has one under way at a time', async () => {
    const { answer, sent, tell, pass } = slowFixture();
    tell('first');
    await pass(0);
    tell('second');
    await pass(120_000);
    expect(sent).toEqual([['first']]);
    answer(TAKEN);
    await pass(60_000);
    expect(sent).toEqual([['first'], ['second']]);
  });

  it('loses nothing that is told meanwhile where one fails', async () => {
    const { answer, sent, tell, pass } = slowFixture();
    tell('first');
    await pass(0);
    tell('second');
    answer(DOWN);
    await pass(5_000);
    expect(sent).toEqual([['first'], ['first', 'second']]);
  });
});

describe('AlertDesk, where nobody answers for long', () => {
  it('tries every five minutes at least, and tells each time anew that posts fail', async () => {
    const down = Array.from({ length: 8 }, () => DOWN);
    const { posts, tell, pass, told } = deskFixture([...down, TAKEN, DOWN]);
    tell('first');
    await pass(1_300_000);
    tell('second');
    await pass(5_000);
    const seconds = posts.map(([atMs]) => atMs / 1_000);
    expect(seconds).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915, 1_300, 1_305]);
    const kinds = told.map((text) => text.split(' ', 1)[0]);
    expect(kinds).toEqual(['warn', 'info', 'warn', 'info']);
  });
});

describe('AlertDesk, closed', () => {
  it('posts what waits, and takes no more', async () => {
    const { desk, posts, tell, pass } = deskFixture();
    tell('first');
    await pass(0);
    tell('second');
    await desk.close();
    tell('third');
    await pass(120_000);
    expect(posts).toEqual([
      [0, 'first'],
      [0, 'second'],
    ]);
  });

  it('tries what waits once, and says that nobody was told, though earlier posts failed', async () => {
    const { desk, posts, tell, pass, told } = deskFixture([DOWN, DOWN]);
    tell('first');
    await pass(0);
    tell('second');
    await desk.close();
    await pass(60_000);
    expect(posts).toEqual([
      [0, 'first'],
      [0, 'first', 'second'],
    ]);
    const failed = 'warn Cannot post alerts to the address in HOOK: connect ECONNREFUSED; ';
    expect(told).toEqual([
      `${failed}it is tried again`,
      `${failed}these alerts are only in the log`,
    ]);
  });

  it('waits for the post that is under way, and posts nothing twice', async () => {
    const { answer, desk, sent, tell, pass } = slowFixture();
    let isClosed = false;
    tell('first');
    await pass(0);
    const closed = desk.close().then(() => {
      isClosed = true;
    });
    await pass(0);
    expect(isClosed).toBe(false);
    answer(TAKEN);
    await closed;
    expect(sent).toEqual([['first']]);
  });

  it('posts once more what was under way and failed, with what was told meanwhile', async () => {
    const { answer, desk, sent, tell, pass } = slowFixture();
    tell('first');
    await pass(0);
    const closed = desk.close();
    tell('second');
    answer(DOWN);
    await pass(0);
    answer(DOWN);
    await closed;
    await pass(600_000);
    expect(sent).toEqual([['first'], ['first', 'second']]);
  });
});
