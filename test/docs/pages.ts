import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from '../app/fixture.ts';

/** A fenced block of a page. */
export interface Example {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Words after the language: `file=...`, or why it is not run as it stands. */
  readonly marks: readonly string[];
  readonly text: string;
}

/** The pages whose examples must hold. */
export const PAGES = [
  'README.md',
  'src/README.md',
  ...readdirSync(new URL('docs', ROOT))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

export function textOf(page: string): string {
  return readFileSync(new URL(page, ROOT), 'utf8');
}

/** Every fenced block of a page. */
export function examplesOf(page: string): Example[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', marks = '', body = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { page, line, language, marks: marks.trim().split(/\s+/).filter(Boolean), text: body };
  });
}

/** The name that an example is to be saved under. */
export function fileOf({ marks }: Example): string | undefined {
  return marks.find((mark) => mark.startsWith('file='))?.slice('file='.length);
}
