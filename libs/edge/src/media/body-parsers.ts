import { hasForbiddenCharacters } from '@scrip/kernel';
import type { FastifyInstance } from 'fastify';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { forbiddenTextIn, isTooDeep } from './forbidden-text';

const cannotBeStored = 'cannot contain NUL characters or lone surrogates';

/** The 400 for a text that cannot be stored, named by its path. */
export const forbiddenText = (path: string): EdgeFailure =>
  new EdgeFailure(
    failures.invalidPayload(path === '' ? `Payload ${cannotBeStored}` : `Property ${path} ${cannotBeStored}`),
  );

/** Reads a JSON body; an empty one is no body. Throws `EdgeFailure` for anything that is not JSON, nests too deep, has
 *  a key that would poison a prototype, or a text that cannot be stored. */
export const parseJson = (raw: string, secureParse: (raw: string) => unknown): unknown => {
  if (raw.trim() === '') return undefined;
  if (isTooDeep(raw)) throw new EdgeFailure(failures.invalidPayload('Payload is nested too deeply'));
  let parsed: unknown;
  try {
    parsed = secureParse(raw);
  } catch (error) {
    if (isJson(raw)) throw new EdgeFailure(failures.invalidPayload('Payload has a forbidden property name'));
    if (error instanceof Error) throw new EdgeFailure(failures.malformedJson());
    throw error;
  }
  const path = forbiddenTextIn(parsed, raw);
  if (path !== null) throw forbiddenText(path);
  return parsed;
};

const isJson = (raw: string): boolean => {
  try {
    JSON.parse(raw);
    return true;
  } catch {
    return false;
  }
};

/** Reads a form; of a repeated name the first value counts. */
export const parseForm = (raw: string): Record<string, string> => {
  const form = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(raw)) form[name] ??= value;
  const path = hasForbiddenCharacters(form);
  if (path !== null) throw forbiddenText(path);
  return form;
};

type Done = (error: Error | null, body?: unknown) => void;

const answering =
  (parse: (raw: string) => unknown) => (_request: unknown, raw: string | Buffer, done: Done) => {
    try {
      done(null, parse(raw.toString()));
    } catch (error) {
      done(error as Error);
    }
  };

const secureParserOf = (fastify: FastifyInstance) => {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  return (raw: string): unknown => {
    let result: unknown;
    let failed: Error | null = null;
    void parse(undefined as never, raw, (error: Error | null, body?: unknown) => {
      failed = error;
      result = body;
    });
    if (failed) throw failed as Error;
    return result;
  };
};

/** Replaces Fastify's body parsers by the edge's: JSON and forms, nothing else. */
export const useBodyParsers = (fastify: FastifyInstance): void => {
  const secureParse = secureParserOf(fastify);
  fastify.removeAllContentTypeParsers();
  const json = answering((raw) => parseJson(raw, secureParse));
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, json);
  fastify.addContentTypeParser(/^application\/[\w.-]+\+json(?:;|$)/, { parseAs: 'string' }, json);
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    answering(parseForm),
  );
};
