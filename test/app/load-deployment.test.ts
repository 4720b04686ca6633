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
  const referenceTo = (name: string, key = 'accessKey') => ({ name, path: ['venue', key] });

  it('gives the values of the variables', () => {
    const path = referenceTo('PATH');
    expect(fromEnvironment([path, path], yaml)).toEqual([process.env.PATH, process.env.PATH]);
  });

  it('names every variable that is missing and the place that refers to it', () => {
    const references = [
      referenceTo('TRADEWIND_NOT_SET'),
      referenceTo('PATH'),
      referenceTo('TRADEWIND_NOT_SET_EITHER', 'secretKey'),
    ];
    const line = (name: string) =>
      `live\\.example\\.yaml:\\d+:3: .* environment variable ${name} is not set.*`;
    expect(() => fromEnvironment(references, yaml)).toThrow(
      new RegExp(`${line('TRADEWIND_NOT_SET')}\n.*${line('TRADEWIND_NOT_SET_EITHER')}$`),
    );
  });
});
