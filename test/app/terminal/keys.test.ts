import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  keysFromEnvironment,
  keysFromFile,
  passwordFromEnvironment,
} from '../../../src/app/terminal/keys.ts';
import { scratchFile, scratchFolder, scratchPipe } from '../fixture.ts';

const KEYS = { accessKey: '7f3c-access', secretKey: 'hush-hush' };

function keyFile(text: string, mode = 0o600): string {
  const file = scratchFile('keys.yaml', text);
  chmodSync(file, mode);
  return file;
}

describe('keysFromEnvironment', () => {
  it('reads the variables that the deployments name', () => {
    const environment = { ZB_ACCESS_KEY: 'a', ZB_SECRET_KEY: 's' };
    expect(keysFromEnvironment(environment)).toEqual({ accessKey: 'a', secretKey: 's' });
  });

  it.each([[{}], [{ ZB_ACCESS_KEY: 'a', ZB_SECRET_KEY: '' }]])(
    'says what is not set and where it is wanted: %o',
    (environment: Record<string, string>) => {
      expect(() => keysFromEnvironment(environment)).toThrow(
        /ZB_(ACCESS|SECRET)_KEY is not set, the keys are wanted in ZB_ACCESS_KEY and ZB_SECRET_KEY, or in a file \(--key-file\)/,
      );
    },
  );

  it('says what stands beside a key, and not the key', () => {
    const environment = { ZB_ACCESS_KEY: 'a', ZB_SECRET_KEY: 'hush-hush\n' };
    expect(() => keysFromEnvironment(environment)).toThrow(
      /^Cannot sign requests: the environment variable ZB_SECRET_KEY has a line break at an end, the key alone is wanted$/,
    );
  });
});

describe('keysFromFile', () => {
  it('reads two lines of YAML, quoted or not, and takes digits for text', () => {
    const text = 'accessKey: 7f3c-access\nsecretKey: "hush-hush"\n';
    expect(keysFromFile(keyFile(text))).toEqual(KEYS);
    const digits = keysFromFile(keyFile('accessKey: 0012\nsecretKey: 1e5\n'));
    expect(digits).toEqual({ accessKey: '0012', secretKey: '1e5' });
  });

  it.each([0o640, 0o604, 0o610, 0o644, 0o660, 0o601, 0o777])(
    'refuses mode %o, and says how to mend it',
    (mode) => {
      const file = keyFile('accessKey: a\nsecretKey: hush-hush\n', mode);
      const said = `its mode is ${mode.toString(8)}, which lets others have it, 600 is wanted (chmod 600 ${file})`;
      expect(() => keysFromFile(file)).toThrow(said);
    },
  );

  it('says how to mend it where the path has to be quoted', () => {
    const file = join(scratchFolder(), "it's mine.yaml");
    writeFileSync(file, 'accessKey: a\n', { mode: 0o644 });
    const quoted = `'${file.replace("'", "'\\''")}'`;
    expect(() => keysFromFile(file)).toThrow(`(chmod 600 ${quoted})`);
  });

  it('takes a file that only its owner may read', () => {
    const text = 'accessKey: 7f3c-access\nsecretKey: hush-hush\n';
    expect(keysFromFile(keyFile(text, 0o400))).toEqual(KEYS);
  });

  it.each([
    ['two bare lines', '7f3c-access\nhush-hush\n'],
    ['no YAML', 'accessKey: [hush-hush\n'],
    ['an alias', 'accessKey: *hush-hush\nsecretKey: a\n'],
    ['one key', 'secretKey: hush-hush\n'],
    ['another key', 'accessKey: a\nsecretKey: b\nhush-hush: c\n'],
    ['an empty key', 'accessKey:\nsecretKey: hush-hush\n'],
    ['nothing', ''],
  ])('says of %s what is wanted, and nothing of what stands there', (_what, text) => {
    const file = keyFile(text);
    const read = () => keysFromFile(file);
    expect(read).toThrow(/a line "accessKey: \.\.\." and a line "secretKey: \.\.\." are wanted/);
    expect(read).not.toThrow(/hush/);
    expect(read).toThrow(expect.objectContaining({ reason: 'configuration' }));
  });

  it('says that there is no file', () => {
    const message = 'there is no such file, a file with the keys is wanted';
    expect(() => keysFromFile('/nowhere/keys')).toThrow(message);
    expect(() => keysFromFile(scratchFolder())).toThrow('it is no file');
    expect(() => keysFromFile(scratchPipe())).toThrow('it is no file');
  });
});

describe('passwordFromEnvironment', () => {
  it('reads its variable, and says when it is not set', () => {
    expect(passwordFromEnvironment({ ZB_FUNDS_PASSWORD: 'p' })).toBe('p');
    expect(() => passwordFromEnvironment({})).toThrow('ZB_FUNDS_PASSWORD is not set');
  });
});
