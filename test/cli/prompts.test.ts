import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openPrompts } from '../../src/cli/prompts.ts';

/** Both ends of a terminal: what a person types, and what stands on the screen. */
function terminal({ isTTY = true } = {}) {
  const keys = new PassThrough();
  const screen = new PassThrough();
  let shown = '';
  screen.on('data', (chunk) => {
    shown += chunk;
  });
  const modes: boolean[] = [];
  const setRawMode = (raw: boolean) => void modes.push(raw);
  const input = Object.assign(keys, { isTTY, setRawMode }) as unknown as NodeJS.ReadStream;
  const output = Object.assign(screen, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  return { prompts: openPrompts(input, output), keys, modes, shown: () => shown };
}

describe('openPrompts', () => {
  it('finds nobody where either end is no terminal', () => {
    expect(terminal({ isTTY: false }).prompts).toBeUndefined();
  });

  it('asks and shows what is typed', async () => {
    const { prompts, keys, shown } = terminal();
    const answer = prompts!.ask('Really? ');
    keys.write('yes\r');
    expect(await answer).toBe('yes');
    expect(shown()).toContain('Really? ');
    expect(shown()).toContain('yes');
  });

  it('asks for a secret, takes a correction, and shows nothing of it', async () => {
    const { prompts, keys, shown, modes } = terminal();
    const answer = prompts!.askSecret('Password: ');
    keys.write('sesamx');
    keys.write('\u007f');
    keys.write('e 9\r');
    expect(await answer).toBe('sesame 9');
    expect(shown()).toBe('Password: \n');
    expect(modes).toEqual([true, false]);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('is broken off by %s', async (_what, key) => {
    const { prompts, keys } = terminal();
    const answer = prompts!.askSecret('Password: ');
    keys.write(key);
    expect(await answer).toBeUndefined();
  });

  it('asks one question after the other', async () => {
    const { prompts, keys } = terminal();
    for (const word of ['one', 'two']) {
      const answer = prompts!.ask('? ');
      keys.write(`${word}\r`);
      expect(await answer).toBe(word);
    }
  });
});
