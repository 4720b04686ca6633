import { spawnSync } from 'node:child_process';

/** Who may write nowhere that is not open to all. Source: Linux, user_namespaces(7), overflowuid. */
const NOBODY = 65_534;

/** What comes before a script where root would run it, who may read and write everything. */
const AS_NOBODY = `
  if (process.getuid() === 0) {
    process.setgid(${NOBODY});
    process.setuid(${NOBODY});
  }
`;

/**
 * Runs a module's text in a process of a user to whom the modes of files apply; its imports are read
 * before. The arguments begin at `process.argv[1]`.
 */
export function byNobody(script: string, ...values: string[]) {
  const args = ['--input-type=module', '-e', `${AS_NOBODY}${script}`, ...values];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { stdout, stderr };
}
