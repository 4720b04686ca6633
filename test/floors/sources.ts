import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** One source file: its path from the root with forward slashes, its text without comments. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly code: string;
}

/** Every TypeScript file below a folder of the repository. */
export function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      return { path: relative(root, path).split(sep).join('/'), text, code: stripComments(text) };
    });
}

/** The text without comments; line numbers stay. Strings that look like comments are kept. */
export function stripComments(text: string): string {
  const token =
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return text.replace(token, (all, literal) => literal ?? all.replace(/[^\n]/g, ''));
}

/** Code without the contents of its plain strings: prose in them is no code. */
export function stripStrings(code: string): string {
  return code.replace(/'(?:\\.|[^'\\\n])*'/g, "''");
}

/** The module specifiers that a source imports or re-exports, dynamic ones included. */
export function importsOf(source: Source): string[] {
  const found = source.code.matchAll(/(?:\bfrom\s+|\bimport(?:\s+|\s*\(\s*))'([^']+)'/g);
  return [...found].map((match) => match[1]!);
}

/** The file that a relative specifier names, from the root. */
export function resolveImport(source: Source, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(source.path), specifier));
}
