import Ajv, { type ErrorObject } from 'ajv';
import { type InputProblem, below } from './input-problem';
import type { RequestFile } from './request-file';
import { requestFileSchema } from './schema/request-file.schema';

const validate = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  discriminator: true,
  strictTypes: false,
  verbose: true,
}).compile<RequestFile>(requestFileSchema);

const pathOf = ({ instancePath }: ErrorObject, file: unknown): string => {
  let path = '';
  let at = file;
  for (const step of instancePath.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path = below(path, Array.isArray(at) ? Number(name) : name);
    at = (at as Record<string, unknown>)[name];
  }
  return path;
};

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

const listed = (values: readonly unknown[]): string => values.join(', ');

const article = (type: unknown): string =>
  type === 'integer' || type === 'array' || type === 'object' ? `an ${type}` : `a ${String(type)}`;

/** The values that a tag may have, as the branches of its schema name them. */
const tagsOf = ({ parentSchema }: ErrorObject, tag: string): readonly string[] =>
  (parentSchema as { oneOf: { properties: Record<string, { const: string }> }[] }).oneOf.map(
    ({ properties }) => properties[tag]!.const,
  );

const problemOf = (error: ErrorObject, file: unknown): InputProblem => {
  const { keyword, params, parentSchema, data } = error;
  const path = pathOf(error, file);
  const problem = (message: string): InputProblem => ({ path, message });
  switch (keyword) {
    case 'additionalProperties':
      return {
        path: below(path, params.additionalProperty as string),
        message: `unknown field; known here: ${listed(Object.keys((parentSchema as { properties: object }).properties))}`,
      };
    case 'required':
      return { path: below(path, params.missingProperty as string), message: 'is missing' };
    case 'type':
      return problem(`must be ${article([params.type].flat()[0])}, not ${shown(data)}`);
    case 'enum':
      return problem(`must be one of ${listed(params.allowedValues as unknown[])}, not ${shown(data)}`);
    case 'discriminator': {
      const tag = params.tag as string;
      const value = (data as Record<string, unknown>)[tag];
      if (value === undefined) return { path: below(path, tag), message: 'is missing' };
      return {
        path: below(path, tag),
        message: `must be one of ${listed(tagsOf(error, tag))}, not ${shown(value)}`,
      };
    }
    case 'minItems':
    case 'maxItems':
      return problem(error.message ?? keyword);
    default:
      return problem(`${error.message ?? keyword}, not ${shown(data)}`);
  }
};

/** The file that a parsed JSON value is, or everything in which it differs from one, in the order of its fields. */
export const checkShape = (value: unknown): RequestFile | InputProblem[] => {
  if (validate(value)) return value;
  const problems = (validate.errors ?? []).map((error) => problemOf(error, value));
  // A missing tag is reported by two keywords.
  const lines = new Set<string>();
  return problems.filter(({ path, message }) => {
    const line = `${path} ${message}`;
    const isNew = !lines.has(line);
    lines.add(line);
    return isNew;
  });
};
