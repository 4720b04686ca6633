import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT, scratchFolder, twoTrades } from '../app/fixture.ts';
import { run, start } from './command.ts';

const BIN = new URL('bin/tradewind.js', ROOT).pathname;
/** Gives what it runs a terminal: on Debian it is always there. */
const SCRIPT = '/usr/bin/script';

describe('tradewind exchange', () => {
  it('writes lines of JSON alone in a pipe: addresses, accounts and why it stopped', async () => {
    const exchange = start(['exchange', '--port', '0', '--replay', twoTrades()]);
    await exchange.seen(/"exchange served"/);
    exchange.process.kill('SIGINT');
    const { code, stdout } = await exchange.ended;
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'the recording is read as a whole before it plays' },
      { level: 'info', msg: 'the recording begins' },
      {
        level: 'info',
        exchange: {
          dataUrl: expect.stringMatching(/^http:/),
          pushUrl: expect.stringMatching(/^ws:/),
          markets: ['xrp_eth'],
          keys: [{ account: 'main' }],
        },
        msg: 'exchange served',
      },
      { level: 'info', msg: 'the exchange ends before the recording' },
      {
        level: 'info',
        reason: 'SIGINT asked for it',
        msg: 'exchange stopped: SIGINT asked for it',
      },
    ]);
    expect(code).toBe(0);
  });

  it('is served from a folder that is gone', async () => {
    const options = { below: ['nowhere'], cwd: scratchFolder() } as const;
    const { code, stderr } = await run(['exchange', '--port', '0', '--for', '1ms'], options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.runIf(existsSync(SCRIPT) && process.platform === 'linux')('tells a person in words', () => {
    const command = `"${process.execPath}" "${BIN}" exchange --port 0 --admin-port 0 --for 100ms`;
    const { stdout } = spawnSync(SCRIPT, ['-qec', command, '/dev/null'], { encoding: 'utf8' });
    expect(stripVTControlCharacters(stdout).replaceAll('\r', '')).toMatch(
      new RegExp(
        [
          '^exchange served, documented dialect, real time: btc_usdt, eth_usdt',
          '  REST       http://127.0.0.1:\\d+',
          '  WebSocket  ws://127.0.0.1:\\d+/websocket',
          '  admin      http://127.0.0.1:\\d+',
          '  account    main, access key [\\w-]+',
          'exchange stopped: its time is over\n$',
        ].join('\n'),
      ),
    );
  });
});
