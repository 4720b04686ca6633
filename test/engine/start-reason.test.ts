import { describe, expect, it } from 'vitest';
import { definitionIn, startReason } from '../../src/engine/start-reason.ts';

describe('definitionIn', () => {
  it.each(['cross', 'strategy strategy', 'of two\nlines', ' '])('reads back %j', (name) => {
    expect(definitionIn(startReason(name))).toBe(name);
  });

  it('reads what journals have, and nothing of another reason', () => {
    expect(definitionIn('strategy emaCross')).toBe('emaCross');
    expect(definitionIn('its stream of intents completed')).toBeUndefined();
  });
});
