import { filter } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Topic } from '../../src/kernel/index.ts';

describe('Topic', () => {
  it('tells all who listen, by operators too, in the order in which they came', () => {
    const topic = new Topic<number>();
    const heard: string[] = [];
    topic.pipe(filter((value) => value > 1)).subscribe((value) => heard.push(`first ${value}`));
    topic.subscribe((value) => heard.push(`second ${value}`));
    topic.listen((value) => heard.push(`third ${value}`));
    topic.next(1);
    topic.next(2);
    expect(heard).toEqual(['second 1', 'third 1', 'first 2', 'second 2', 'third 2']);
  });

  it('is observed while somebody listens', () => {
    const topic = new Topic<number>();
    expect(topic.observed).toBe(false);
    const one = topic.subscribe();
    const other = topic.listen(() => {});
    one.unsubscribe();
    expect(topic.observed).toBe(true);
    other.unsubscribe();
    expect(topic.observed).toBe(false);
  });

  it('hands what a listener throws back to who told of the event', () => {
    const topic = new Topic<number>();
    topic.listen(() => {
      throw new Error('no');
    });
    expect(() => topic.next(1)).toThrow('no');
  });
});
