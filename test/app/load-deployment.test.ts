import { describe, expect, it } from 'vitest';
import { fromEnvironment, loadDeployment } from '../../src/app/load-deployment.ts';
import { deploymentFile } from './fixture.ts';

describe('loadDeployment', () => {
  it('gives the same hash to the same settings, defaults written out or not', () => {
    const bare = loadDeployment(deploymentFile({ log: { format: 'json' } }));
    const full = loadDeployment(deploymentFile({ log: { format: 'json', level: 'info' } }));
    expect(full.configHash).toBe(bare.configHash);
  });

  it('gives another hash to other settings', () => {
    const one = loadDeployment(deploymentFile({ seed: 'a' }));
    const other = loadDeployment(deploymentFile({ seed: 'b' }));
    expect(other.configHash).not.toBe(one.configHash);
  });

  it('says that a file is not there', () => {
    expect(() => loadDeployment('nowhere.yaml')).toThrow(
      'Cannot read nowhere.yaml: there is no such file, a deployment is wanted',
    );
  });
});

describe('fromEnvironment', () => {
  const { yaml } = loadDeployment('config/live.example.yaml');
  const where = { yaml, path: ['venue', 'accessKey'] };

  it('gives the value of the variable', () => {
    expect(fromEnvironment('PATH', where)).toBe(process.env.PATH);
  });

  it('names the variable and the place that refers to it', () => {
    expect(() => fromEnvironment('TRADEWIND_NOT_SET', where)).toThrow(
      /live\.example\.yaml:\d+:3: .* environment variable TRADEWIND_NOT_SET is not set/,
    );
  });
});
