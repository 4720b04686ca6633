#!/usr/bin/env node
// Tradewind runs on Node 24, which the package `node` brings along, or may bring where Tradewind is a
// dependency itself. Started by an older Node, this launcher hands the command over to it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { stopWithoutNpm } from './orphan.js';

const NODE_MAJOR_MIN = 24;

/** Signals within this time of each other are one, milliseconds: npm passes on what all have heard. */
const ECHO_MS = 300;
/** The signal at which a run quits, whatever is left, as any other command has by then. */
const LAST_SIGNAL = 3;
/** How long a child may take for that, milliseconds: one that hangs hears nothing, and is killed. */
const QUIT_MS = 2_000;

if (majorOf(process.versions.node) >= NODE_MAJOR_MIN) {
  stopWithoutNpm();
  await import('./start.js');
} else {
  const { file: bundled, bringing } = bundledNode();
  if (bundled === undefined) {
    console.error(
      `Cannot start: this is Node ${process.versions.node}, ${NODE_MAJOR_MIN} or newer is wanted (${bringing} brings it)`,
    );
    process.exit(1);
  }
  const start = fileURLToPath(new URL('./start.js', import.meta.url));
  const args = [start, ...process.argv.slice(2)];
  // Nothing is said on the channel: its end tells the child that this launcher is gone.
  const child = spawn(bundled, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  passSignals(child);
  stopWithoutNpm(() => {
    child.kill('SIGTERM');
    // Nobody waits for this launcher: that it is gone ends a child too that hangs.
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Whoever waits for this command shall see the same end.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // The first process of a container hears none from within.
    process.exit(128 + constants.signals[signal]);
  });
}

/**
 * Hands signals on, and kills a child that does not heed the last one. A terminal's Ctrl-C reaches
 * both processes by itself: what is passed on of it is an echo there.
 */
function passSignals(child) {
  let count = 0;
  let heardMs = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      child.kill(signal);
      if (performance.now() - heardMs < ECHO_MS) return;
      heardMs = performance.now();
      count++;
      if (count === LAST_SIGNAL) setTimeout(() => child.kill('SIGKILL'), QUIT_MS);
    });
  }
}

/** The Node of the package `node`, or what brings it where it is not there. */
function bundledNode() {
  const isDependency = import.meta.url.includes('/node_modules/');
  const place = new URL(isDependency ? '../../node/' : '../node_modules/node/', import.meta.url);
  const about = new URL('package.json', place);
  // The one of a project may be there for others, and be an older one itself.
  if (
    !existsSync(about) ||
    majorOf(JSON.parse(readFileSync(about, 'utf8')).version) < NODE_MAJOR_MIN
  )
    return { bringing: isDependency ? `npm install node@${NODE_MAJOR_MIN}` : 'npm ci' };
  const file = fileURLToPath(new URL('bin/node', place));
  // A script of the package puts it there, and npm may have been told to run none.
  return existsSync(file) ? { file } : { bringing: 'npm rebuild node --ignore-scripts=false' };
}

function majorOf(version) {
  return Number(version.split('.')[0]);
}
