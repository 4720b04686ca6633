#!/usr/bin/env node
// Tradewind runs on Node 24, which the package `node` brings along, or may bring where Tradewind is a
// dependency itself. Started by an older Node, this launcher hands the command over to it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stopWithoutNpm } from './orphan.js';

const NODE_MAJOR_MIN = 24;

stopWithoutNpm();

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  await import('./start.js');
} else {
  const places = ['../node_modules/node/bin/node', '../../node/bin/node'];
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const bundled = files.find((file) => existsSync(file));
  if (bundled === undefined) {
    const bringing = import.meta.url.includes('/node_modules/') ? 'npm install node@24' : 'npm ci';
    console.error(
      `Cannot start: this is Node ${process.versions.node}, ${NODE_MAJOR_MIN} or newer is wanted (${bringing} brings it)`,
    );
    process.exit(1);
  }
  const start = fileURLToPath(new URL('./start.js', import.meta.url));
  const args = [start, ...process.argv.slice(2)];
  // Nothing is said on the channel: its end tells the child that this launcher is gone.
  const child = spawn(bundled, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // A terminal's Ctrl-C reaches both processes by itself: what is passed on of it is an echo there.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Whoever waits for this command shall see the same end.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
