import { cleanEnv, EnvError, EnvMissingError, makeValidator } from 'envalid';
import { type Variable, type VariableName, environmentTable } from './environment.table';

/** Thrown for wrong environment variables. The message has one line per variable and shows no secret value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

type Read = string | number | boolean | string[] | null;

const switches: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  false: false,
  '0': false,
  no: false,
};

const parsers: Record<Variable['kind'], (text: string, variable: Variable) => Read> = {
  text: (text, { choices, pattern, expects }) => {
    if (choices && !choices.includes(text)) throw new EnvError(`must be one of ${choices.join(', ')}`);
    if (pattern && !pattern.test(text)) throw new EnvError(`must be ${expects}`);
    return text;
  },
  integer: (text, { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new EnvError(`must be a whole number from ${min} to ${max}`);
    return value;
  },
  switch: (text) => {
    const value = switches[text.toLowerCase()];
    if (value === undefined) throw new EnvError('must be true or false');
    return value;
  },
  list: (text, { accepts, expects }) => {
    const members = text
      .split(',')
      .map((member) => member.trim())
      .filter((member) => member !== '');
    if (accepts && !members.every(accepts)) throw new EnvError(`must be a ${expects}`);
    return members;
  },
};

const validatorOf = (variable: Variable) =>
  makeValidator<Read>((text) => parsers[variable.kind](text, variable))({
    default: undefined,
    desc: variable.meaning,
  });

const complaint = (variable: Variable, value: string | undefined, error: Error): string => {
  if (error instanceof EnvMissingError) return `${variable.name} is missing`;
  const shown = variable.secret ? '(not shown)' : JSON.stringify(value);
  return `${variable.name} ${error.message}, not ${shown}`;
};

/** Reads all variables of the table; an empty text counts as absent. Throws `ConfigurationError` naming each variable
 *  that is wrong. */
export const readEnvironment = (env: NodeJS.ProcessEnv): Record<VariableName, Read> => {
  const variables: readonly Variable[] = environmentTable;
  const given = Object.fromEntries(
    variables.map(({ name, default: fallback }) => [name, env[name] ? env[name] : (fallback ?? undefined)]),
  );
  const specs = Object.fromEntries(variables.map((variable) => [variable.name, validatorOf(variable)]));
  const read = cleanEnv(given, specs, {
    reporter: ({ errors }) => {
      const lines = variables.flatMap((variable) => {
        const error = errors[variable.name];
        return error ? [complaint(variable, given[variable.name], error)] : [];
      });
      if (lines.length > 0) throw new ConfigurationError(lines.join('\n'));
    },
  });
  return Object.fromEntries(variables.map(({ name }) => [name, read[name] ?? null])) as Record<
    VariableName,
    Read
  >;
};
