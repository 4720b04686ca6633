import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const SOURCE = new URL('../../src/app/compile-soon.ts', import.meta.url).href;

/** What a process says that runs a script with a function, called often, and how it is compiled. */
function saidBy(script: string): { stdout: string; stderr: string } {
  const whole = `
    const { compileSoon } = await import('${SOURCE}');
    const called = (value) => value + 1;
    const isCompiled = () => (%GetOptimizationStatus(called) & (1 << 4)) !== 0;
    const isCompiledWell = () => (%GetOptimizationStatus(called) & (1 << 6)) !== 0;
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    // Calls that wait for the compiler count too: on a busy machine turns are thousands.
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
    const callOften = (times = 200) => { for (let count = 0; count < times; count++) called(count); };
    ${script}`;
  // Inlined into its caller, the function would not be called any more.
  const apart = ['--no-maglev-inlining', '--no-turbo-inlining'];
  const flags = [...apart, '--allow-natives-syntax', '--input-type=module', '-e', whole];
  const limits = { encoding: 'utf8', timeout: 60_000 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, flags, limits);
  return { stdout, stderr };
}

it('compileSoon has a function of a bot, or a backtest, compiled after 200 calls, and the engine alone has not', () => {
  // Code that is compiled on another thread is used from a later call on.
  const soon = (program: string) => `compileSoon('${program}'); callOften();
    while (!isCompiled()) { called(0); await turn(); }
    console.log('compiled');`;
  for (const program of ['bot', 'backtest']) {
    expect(saidBy(soon(program))).toEqual({ stdout: 'compiled\n', stderr: '' });
  }
  const alone = 'callOften(); for (let at = 0; at < 100; at++) { called(at); await turn(); }';
  expect(saidBy(`${alone} console.log(isCompiled());`)).toEqual({ stdout: 'false\n', stderr: '' });
});

it('compileSoon has a function of a bot compiled well after 1,000 calls, and one of a backtest not', () => {
  const bot = `compileSoon('bot'); callOften(1_000);
    while (!isCompiledWell()) { called(0); await turn(); }
    console.log('well');`;
  expect(saidBy(bot)).toEqual({ stdout: 'well\n', stderr: '' });
  const backtest = `compileSoon('backtest'); callOften(1_000);
    while (!isCompiled()) { called(0); await pause(); }
    console.log(isCompiledWell());`;
  expect(saidBy(backtest)).toEqual({ stdout: 'false\n', stderr: '' });
});
