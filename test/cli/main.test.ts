import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/app/index.ts';
import { deploymentFile } from '../app/fixture.ts';
import { run } from './command.ts';

describe('tradewind --help', () => {
  it.each([
    ['the whole', ['--help'], ['run [options] <config>', 'exchange [options]', 'market-maker']],
    ['run', ['run', '--help'], ['--for <time>', '--virtual', '--seed', '--resume', 'Ctrl-C']],
    [
      'exchange',
      ['exchange', '--help'],
      ['--port', '8710', '--config', '--replay', '--speed', '--dialect'],
    ],
    ['a command of a command', ['market', 'depth', '--help'], ['Usage: tradewind market depth']],
  ])('tells of %s', async (_what, args, texts) => {
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    for (const text of texts) expect(stdout).toContain(text);
    const isWhole = args.length === 1;
    expect(stdout.includes('Exit codes: tradewind --help tells them.\n')).toBe(!isWhole);
    for (const exit of [...Object.values(EXIT_CODES), '129, 130, 143', 137]) {
      expect(new RegExp(`^  ${exit}  `, 'm').test(stdout)).toBe(isWhole);
    }
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

describe('tradewind, called wrongly', () => {
  it.each([
    ['no command', [], 'Usage: tradewind'],
    ['an unknown command', ['trade'], "unknown command 'trade'"],
    ['help for an unknown command', ['help', 'nothing'], "unknown command 'nothing'"],
    ['help for an unknown option', ['help', '--nothing'], "unknown option '--nothing'"],
    ['an unknown option', ['run', 'a.yaml', '--fro', '1s'], '(Did you mean --for?)'],
    [
      'no kind',
      ['journal', 'events', 'x', '--kind', 'ordr'],
      '(--help tells what is allowed)\n(Did you mean order?)',
    ],
    [
      'no choice',
      ['orders', 'list', '--side', 'xyzzy'],
      'Allowed choices are buy, sell.\n(--help tells what is allowed)\n',
    ],
    ['no time', ['run', 'a.yaml', '--for', '30'], 'a time such as 30s, 5m or 2h is wanted'],
    ['no port', ['exchange', '--port', '70000'], 'a port from 0 to 65535 is wanted'],
    ['no admin port', ['exchange', '--admin-port', '-1'], 'a port from 0 to 65535 is wanted'],
    ['no scale', ['exchange', '--scale', '0'], 'a number above 0, at most 100000 is wanted'],
    ['no mode', ['exchange', '--time', 'slow'], 'Allowed choices are real, scaled, stepped'],
    [
      'nothing to take from a folder',
      ['exchange', '--data', 'mine'],
      'datasets from mine: nothing',
    ],
  ])('says of %s what is wanted, with code 2', async (_what, args, text) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });

  it('wants an end of a run on virtual time, with code 2', async () => {
    const { code, stderr } = await run(['run', deploymentFile(), '--virtual']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: 'tradewind: Cannot run on virtual time without an end: --for is wanted\n',
    });
  });
});

describe('tradewind run --virtual', () => {
  const hashOf = async (...args: string[]) => {
    const command = ['run', 'config/demo.yaml', '--virtual', '--for', '30s', ...args];
    const { code, stdout } = await run(command);
    expect(code).toBe(0);
    return /hash +([0-9a-f]{64})/.exec(stdout)?.[1];
  };

  it('ends with the same hash for the same seed, with another for another', async () => {
    const [one, same, other] = await Promise.all([hashOf(), hashOf(), hashOf('--seed', 'other')]);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
});
