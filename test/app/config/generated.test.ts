import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { servedExchangeSchema } from '../../../src/app/config/exchange.ts';
import { generatedFiles } from '../../../src/app/config/generated.ts';
import { deploymentJsonSchema, type JsonSchema } from '../../../src/app/config/json-schemas.ts';
import { readAs } from '../../../src/app/config/problems.ts';
import { settingsReference } from '../../../src/app/config/reference.ts';
import { readYamlFile } from '../../../src/app/config/yaml.ts';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import { ROOT } from '../fixture.ts';

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const CONFIGS = readdirSync(new URL('config', ROOT)).filter((file) => file.endsWith('.yaml'));

describe('generatedFiles', () => {
  it('are as they stand in the tree: npm run schema renews them', async () => {
    const files = await generatedFiles(read);
    expect(Object.keys(files)).toContain('config/schema.json');
    for (const [path, text] of Object.entries(files)) expect(read(path), path).toBe(text);
  });

  it('renews a table between its marks and leaves all else alone', async () => {
    const page = 'before <!-- settings: grid --> old <!-- end of settings --> after';
    const files = await generatedFiles(() => page);
    const text = files['docs/strategies.md'];
    expect(text).toMatch(/^before <!-- settings: grid -->\n\n\| key/);
    expect(text).toContain('`spacing`');
    expect(text).toMatch(/<!-- end of settings --> after$/);
    expect(text).not.toContain('old');
  });
});

describe('deploymentJsonSchema', () => {
  it('holds the parameters of every bundled strategy', async () => {
    const { strategies } = (await deploymentJsonSchema()).properties ?? {};
    const rules = strategies?.items?.allOf as readonly { then: JsonSchema }[];
    const known = rules.map((rule) => Object.keys(rule.then.properties?.params?.properties ?? {}));
    expect(known).toHaveLength(3);
    expect(known.flat()).toEqual(expect.arrayContaining(['fast', 'spacing', 'positionMax']));
  });
});

describe('settingsReference', () => {
  it('describes the entries of lists within maps', async () => {
    const { properties } = await deploymentJsonSchema();
    const reference = settingsReference({ properties: { venue: properties?.venue ?? {} } });
    expect(reference).toContain('### `venue.accounts[].withdrawalAddresses.<name>[]`');
    expect(reference).toContain('| `address` | text | required | ');
  });

  it('has one table for groups with the same keys', async () => {
    const reference = settingsReference(await deploymentJsonSchema());
    const heading = '### `venue.accessKey`, `venue.secretKey`';
    expect(reference.split(heading)).toHaveLength(2);
  });

  it('names the keys of a group that an earlier one has, whose values hold without them', async () => {
    const reference = settingsReference(await deploymentJsonSchema());
    const [, markets = ''] = reference.split('### `risk.markets.<name>`');
    expect(markets).toMatch(/^\n\nKeys of \[`risk`\]\(#risk\).* `orderValueMax`, /);
  });

  it('has one table for groups of which each has one key', async () => {
    const reference = settingsReference(await deploymentJsonSchema());
    const [, queue = ''] = reference.split('### `backtest.fill.queueAhead`\n\n');
    const keys = [...queue.split('\n\n')[0]!.matchAll(/^\| `(\w+)` .* \| one of these \|/gm)];
    expect(keys.map(([, key]) => key)).toEqual(['meanTrade', 'amount']);
  });

  it('tells in the column of defaults that a limit is none', async () => {
    const reference = settingsReference(await deploymentJsonSchema());
    expect(reference).toContain('| `longMax` | number | no limit | Largest long position, ');
    expect(reference).not.toContain('Without it: no such limit');
  });

  it('leads from a key to the table of its group', async () => {
    const reference = settingsReference(await deploymentJsonSchema());
    const anchors = [...reference.matchAll(/^### (.+)$/gm)].map(([, title]) =>
      title!
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-')
        .toLowerCase(),
    );
    const links = [...reference.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
    expect(reference).toContain('| `executor` | [group](#executor) |');
    expect(reference).toContain('| `accounts` | [list of groups](#venueaccounts) |');
  });

  it('describes every key of every group', async () => {
    const rows = settingsReference(await deploymentJsonSchema())
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => row.endsWith('|  |'))).toEqual([]);
  });
});

describe('config/', () => {
  it('has the files that the documentation names', () => {
    expect(CONFIGS.sort()).toEqual([
      'backtest.yaml',
      'demo.yaml',
      'exchange.yaml',
      'live.example.yaml',
      'paper.yaml',
    ]);
  });

  it.each(CONFIGS)('has %s, which docs/configuration.md tells of', (file) => {
    expect(read('docs/configuration.md')).toContain(`\`${file}\``);
  });

  it.each(CONFIGS.filter((file) => file !== 'exchange.yaml'))('%s loads', (file) => {
    const { config } = loadDeployment(`config/${file}`);
    expect(file).toContain(config.name);
  });

  it('exchange.yaml loads', () => {
    const config = readAs(servedExchangeSchema, readYamlFile('config/exchange.yaml'));
    expect(config.markets?.map(({ id }) => id)).toEqual(['btc_usdt', 'eth_usdt']);
  });

  it('names no key but by environment variable in a deployment', () => {
    const { venue } = loadDeployment('config/live.example.yaml').config;
    expect(venue).toMatchObject({
      accessKey: { env: 'ZB_ACCESS_KEY' },
      secretKey: { env: 'ZB_SECRET_KEY' },
    });
  });
});
