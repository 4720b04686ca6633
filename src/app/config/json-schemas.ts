import { z } from 'zod';
import { bundledStrategies } from '../strategies/bundled-strategies.ts';
import { importBundled } from '../strategies/load-strategies.ts';
import { deploymentSchema } from './deployment.ts';
import { servedExchangeSchema } from './exchange.ts';

/** A JSON schema, with the keywords that are used here. */
export interface JsonSchema {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
}

/** The JSON schema of what a file may say: keys with a default may be left out. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The schema of `config/*.yaml`, with the parameters of the bundled strategies. */
export async function deploymentJsonSchema(): Promise<JsonSchema> {
  const schema = jsonSchemaOf(deploymentSchema);
  const { strategies } = schema.properties ?? {};
  const bundled = await Promise.all(bundledStrategies().map(paramsRule));
  const items = { ...strategies?.items, allOf: bundled };
  return { ...schema, properties: { ...schema.properties, strategies: { ...strategies, items } } };
}

/** The schema of the file of `tradewind exchange --config`. */
export function exchangeJsonSchema(): JsonSchema {
  return jsonSchemaOf(servedExchangeSchema);
}

/** The schema of the parameters of a bundled strategy. */
export async function paramsJsonSchema(name: string): Promise<JsonSchema> {
  return jsonSchemaOf((await importBundled(name)).params);
}

/** A rule that applies a strategy's own schema to `params` where the strategy is used. */
async function paramsRule(name: string): Promise<JsonSchema> {
  const { $schema, ...params } = await paramsJsonSchema(name);
  const required = params.required?.length ? { required: ['params'] } : {};
  return {
    if: { properties: { use: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { params }, ...required },
  };
}
