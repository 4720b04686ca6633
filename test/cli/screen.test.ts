import { describe, expect, it } from 'vitest';
import { Screen } from '../../src/cli/screen.ts';
import { FakeTerminal } from './terminal.ts';

function screenOn(size: { columns?: number; rows?: number } = {}) {
  const terminal = new FakeTerminal(size);
  return { terminal, screen: new Screen(terminal) };
}

describe('Screen', () => {
  it('redraws the block where it stands', () => {
    const { terminal, screen } = screenOn();
    screen.draw(['one', 'a longer line']);
    screen.draw(['two', 'short']);
    expect(terminal.text).toBe('two\nshort');
  });

  it('shrinks and grows with its lines', () => {
    const { terminal, screen } = screenOn();
    screen.draw(['1', '2', '3']);
    screen.draw(['1']);
    expect(terminal.text).toBe('1');
    screen.draw(['1', '2']);
    expect(terminal.text).toBe('1\n2');
  });

  it('keeps what is printed above the block', () => {
    const { terminal, screen } = screenOn();
    screen.draw(['block', 'of two']);
    screen.print('first\n');
    screen.print('second');
    screen.draw(['BLOCK', 'of two']);
    expect(terminal.text).toBe('first\nsecond\nBLOCK\nof two');
  });

  it('keeps printed lines that wrap', () => {
    const { terminal, screen } = screenOn({ columns: 10 });
    screen.draw(['block']);
    screen.print('0123456789abcdef');
    screen.draw(['BLOCK']);
    expect(terminal.text).toBe('0123456789\nabcdef\nBLOCK');
  });

  it('cuts lines that are wider than the terminal, so that the block keeps its height', () => {
    const { terminal, screen } = screenOn({ columns: 10 });
    for (const line of ['0123456789abc', 'x'.repeat(200), '0123456789abc'])
      screen.draw([line, 'b']);
    expect(terminal.text).toBe('012345678…\nb');
  });

  it('tells how much more there is than a low terminal shows', () => {
    const { terminal, screen } = screenOn({ rows: 4 });
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
    for (let times = 0; times < 3; times++) screen.draw(lines);
    expect(terminal.text).toBe('line 0\nline 1\n… 7 more lines');
  });

  it('scrolls like any other output in a low terminal', () => {
    const { terminal, screen } = screenOn({ rows: 5 });
    for (let at = 0; at < 9; at++) {
      screen.print(`log ${at}`);
      screen.draw(['block', `${at}`]);
    }
    const logged = Array.from({ length: 9 }, (_, at) => `log ${at}`).join('\n');
    expect(terminal.text).toBe(`${logged}\nblock\n8`);
  });

  it('hides the cursor while it draws and gives it back, the block left where it is', () => {
    const { terminal, screen } = screenOn();
    screen.draw(['block']);
    expect(terminal.cursorVisible).toBe(false);
    screen.close(['last']);
    expect(terminal.cursorVisible).toBe(true);
    terminal.write('summary\n');
    expect(terminal.text).toBe('last\nsummary');
  });

  it('leaves its last lines whole, though they are higher than the terminal', () => {
    const { terminal, screen } = screenOn({ rows: 4 });
    screen.print('log');
    screen.draw(['1', '2', '3', '4', '5']);
    screen.close(['1', '2', '3', '4', '5', '6']);
    terminal.write('summary\n');
    expect(terminal.text).toBe('log\n1\n2\n3\n4\n5\n6\nsummary');
  });
});

it('Screen draws what the block is by now below what is printed, if it is told', () => {
  const { terminal, screen } = screenOn();
  let now: string[] | undefined;
  screen.renewBy(() => now);
  screen.draw(['running']);
  screen.print('first');
  expect(terminal.text).toBe('first\nrunning');
  now = ['stopping'];
  screen.print('second');
  expect(terminal.text).toBe('first\nsecond\nstopping');
  screen.close(['stopped']);
  screen.print('third');
  expect(terminal.text).toBe('first\nsecond\nstopped\nthird');
});

it('Screen leaves the terminal to others, and goes on below what they wrote', () => {
  const { terminal, screen } = screenOn();
  screen.draw(['block', 'of two']);
  screen.leave();
  expect(terminal.cursorVisible).toBe(true);
  terminal.write('$ fg\n');
  screen.draw(['BLOCK', 'of two']);
  expect(terminal.text).toBe('block\nof two\n$ fg\nBLOCK\nof two');
  expect(terminal.cursorVisible).toBe(false);
});

describe('Screen, on a terminal that stands still', () => {
  it('draws nothing, prints all, and draws again once it moves', () => {
    const { terminal, screen } = screenOn();
    screen.draw(['one']);
    terminal.standsStill = true;
    screen.draw(['two']);
    expect(terminal.text).toBe('one');
    for (const line of ['first', 'second']) screen.print(line);
    expect(terminal.text).toBe('first\nsecond');
    terminal.standsStill = false;
    screen.draw(['three']);
    expect(terminal.text).toBe('first\nsecond\nthree');
  });
});
