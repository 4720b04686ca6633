import { describe, expect, it } from 'vitest';
import { importsOf, resolveImport, type Source, sourcesBelow } from '../../floors/sources.ts';

const sources = new Map(
  [...sourcesBelow('src'), ...sourcesBelow('strategies')].map((source) => [source.path, source]),
);

/** Everything that the files lead to by imports, types included. */
function reachedFrom(paths: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const left = [...paths];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const source = sources.get(path);
    if (source === undefined || reached.has(path)) continue;
    reached.add(path);
    left.push(...importsOf(source).flatMap((specifier) => targetOf(source, specifier)));
  }
  return reached;
}

function targetOf(source: Source, specifier: string): string[] {
  if (specifier === '#strategy') return ['src/strategy/index.ts'];
  return specifier.startsWith('.') ? [resolveImport(source, specifier)] : [];
}

const below = (...folders: string[]) =>
  [...sources.keys()].filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));

const WITHDRAWING = ['src/app/terminal/', 'src/cli/'];

describe('a withdrawal', () => {
  it('is not on any path of imports from strategies or the floors that carry them', () => {
    const floors = ['strategy', 'market', 'ledger', 'risk', 'execution', 'engine'];
    const start = below('strategies', ...floors.map((floor) => `src/${floor}`));
    const reached = reachedFrom(start);
    expect(reached.size).toBeGreaterThan(100);
    expect(
      [...reached].filter((path) => WITHDRAWING.some((part) => path.startsWith(part))),
    ).toEqual([]);
    const asking = [...reached].filter((path) =>
      /\.funds\b|\bFullExchange\b|\bFundsPort\b|\bWithdrawRequest\b/.test(sources.get(path)!.code),
    );
    // The port itself is declared beside the others; nobody on the way to a strategy asks for it.
    expect(asking.filter((path) => !path.startsWith('src/exchange/'))).toEqual([]);
  });

  it('is not on the way of a run', () => {
    const reached = reachedFrom(['src/app/session.ts', 'src/app/run-deployment.ts']);
    expect(reached).toContain('src/engine/engine.ts');
    expect([...reached].filter((path) => path.startsWith('src/app/terminal/'))).toEqual([]);
  });

  it('would be seen: the path from the command leads there', () => {
    expect(reachedFrom(['src/cli/commands/withdraw.ts'])).toContain(
      'src/app/terminal/withdrawal.ts',
    );
  });
});
