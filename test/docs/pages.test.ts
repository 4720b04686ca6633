import { existsSync, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_MEANINGS } from '../../src/app/index.ts';
import { ROOT } from '../app/fixture.ts';
import { FLOORS } from '../floors/rules.ts';
import { PAGES, textOf } from './pages.ts';

/** What links to the headings of a page end in, as GitHub makes it. */
function anchorsOf(page: string): string[] {
  const text = textOf(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the pages', () => {
  it.each(PAGES)('%s links to what there is', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
      ([, link]) => link!,
    );
    const broken = links.filter((link) => {
      const path = posix.join(posix.dirname(page), link);
      return !existsSync(new URL(path, ROOT));
    });
    expect(broken).toEqual([]);
  });

  it.each(PAGES)('%s links to headings that there are', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)];
    const broken = links.flatMap(([, link, anchor]) => {
      const path = link === '' ? page : posix.join(posix.dirname(page), link!);
      return anchorsOf(path).includes(anchor!) ? [] : [`${path}#${anchor}`];
    });
    expect(broken).toEqual([]);
  });

  it('docs/operations.md has every exit code with its meaning', () => {
    for (const cells of EXIT_MEANINGS) {
      expect(textOf('docs/operations.md')).toContain(`| ${cells.join(' | ')} |`);
    }
  });

  it('docs/getting-started.md and README.md name files that there are', () => {
    for (const page of ['README.md', 'docs/getting-started.md', 'docs/operations.md']) {
      const named = [...textOf(page).matchAll(/`((?:config|strategies|docs)\/[\w./-]+)`/g)];
      const missing = named.filter(([, path]) => !existsSync(new URL(path!, ROOT)));
      expect(missing.map(([, path]) => path)).toEqual([]);
    }
  });
});

describe('src/README.md', () => {
  const text = textOf('src/README.md');
  const folders = readdirSync(new URL('src', ROOT)).filter((name) =>
    statSync(new URL(`src/${name}`, ROOT)).isDirectory(),
  );
  const floors = folders.flatMap((name) => {
    if (name !== 'venues') return [name];
    return readdirSync(new URL('src/venues', ROOT)).map((venue) => `venues/${venue}`);
  });

  it.each(floors)('has a row for %s', (floor) => {
    expect(text).toContain(`| \`${floor}\` |`);
  });

  it.each(Object.entries(FLOORS))(
    'says which floors %s may import',
    (name, { floors: allowed }) => {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      const above = Object.keys(FLOORS).slice(0, Object.keys(FLOORS).indexOf(name));
      const told = row?.split(' | ')[2]?.replace('all above', above.join(', ')).replace('none', '');
      expect(told).toBe(allowed.join(', '));
    },
  );

  it('has no row for a floor that is not there', () => {
    const table = text.slice(text.indexOf('| floor |'), text.indexOf('Below `app`'));
    const rows = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!);
    expect(rows.filter((name) => !floors.includes(name))).toEqual([]);
  });

  it('names files to begin with that there are', () => {
    const rows = [...text.matchAll(/^\| `([^`]+)` \| [^|]+ \| (.+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(10);
    const missing = rows.flatMap(([, floor, files]) =>
      [...files!.matchAll(/`([^`]+)`/g)]
        .map(([, file]) => `src/${floor}/${file}`)
        .filter((path) => !existsSync(new URL(path, ROOT))),
    );
    expect(missing).toEqual([]);
  });

  it('names files and folders for a new thing that there are', () => {
    const table = text.slice(text.indexOf('## A new thing and its room'));
    const paths = [...table.matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(new URL(`src/${path}`, ROOT)))).toEqual([]);
  });
});
