import { concat, NEVER, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { followed, newest, partUpdate } from '../../../../../src/venues/zb/server/push/updates.ts';

function heardFrom(combine: typeof newest<string>) {
  const [now, later] = [new Subject<string>(), new Subject<string>()];
  const heard: string[] = [];
  combine(now, later).subscribe({
    next: (value) => heard.push(value),
    error: (error) => heard.push(`error ${error}`),
  });
  const answer = (value: string) => {
    now.next(value);
    now.complete();
  };
  return { now, later, heard, answer };
}

describe('newest', () => {
  it('begins with what is known now', () => {
    const { heard, later, answer } = heardFrom(newest);
    answer('now');
    later.next('a');
    expect(heard).toEqual(['now', 'a']);
  });

  it('drops an answer that comes after something newer', () => {
    const { heard, later, answer } = heardFrom(newest);
    later.next('a');
    answer('now');
    expect(heard).toEqual(['a']);
  });

  it('hears what comes with the subscription behind what is known now', () => {
    const heard: string[] = [];
    newest(of('now'), concat(of('a'), NEVER)).subscribe((value) => heard.push(value));
    expect(heard).toEqual(['now', 'a']);
  });
});

describe('followed', () => {
  it('keeps what comes while the answer is awaited', () => {
    const { heard, later, answer } = heardFrom(followed);
    later.next('a');
    later.next('b');
    expect(heard).toEqual([]);
    answer('now');
    later.next('c');
    expect(heard).toEqual(['now', 'a', 'b', 'c']);
  });

  it('keeps the order where a listener sets off more', () => {
    const [now, later] = [new Subject<string>(), new Subject<string>()];
    const heard: string[] = [];
    followed(now, later).subscribe((value) => {
      heard.push(value);
      if (value === 'a') later.next('c');
    });
    later.next('a');
    later.next('b');
    now.complete();
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  it('fails when either does, and lets go of the other', () => {
    const first = heardFrom(followed);
    first.now.error('x');
    const second = heardFrom(followed);
    second.later.error('y');
    expect([first.heard, second.heard]).toEqual([['error x'], ['error y']]);
    expect([first.later.observed, second.now.observed]).toEqual([false, false]);
  });
});

describe('partUpdate', () => {
  it('renders the whole when it is asked for, and once', () => {
    let rendered = 0;
    const { frame, whole } = partUpdate('part', () => `whole ${++rendered}`);
    expect([frame, rendered, whole(), whole()]).toEqual(['part', 0, 'whole 1', 'whole 1']);
  });
});
