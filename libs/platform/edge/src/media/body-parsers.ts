import { bodyLimitBytes } from '@scrip/contracts/registry';
import { hasForbiddenCharacters } from '@scrip/kernel';
import type { FastifyInstance } from 'fastify';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { FormUpload } from '../upload/form-upload';
import { forbiddenText } from './forbidden-text';
import { pathAt, scanJson } from './json-scan';
import { parseLargeJson, type PartOfBody } from './large-json';

/** Bodies nested deeper than this are refused before anything recurses into them. */
const deepestNesting = 64;

/** Where V8 says that it stopped reading; it does not always. */
const placeOf = ({ message }: Error, { offset }: PartOfBody): string => {
  const [, position] = / at position (\d{1,10})/.exec(message) ?? [];
  if (position !== undefined) return `: unexpected character at position ${Number(position) + offset}`;
  const [, token] = /^Unexpected token '?(.)/u.exec(message) ?? [];
  if (token !== undefined) return `: unexpected ${token}`;
  return message.includes('end of JSON input') ? ': it ends too early' : '';
};

const whole: PartOfBody = { offset: 0, index: 0 };

const pathInBody = (path: string, { index }: PartOfBody = whole): string =>
  path.replace(/^\[(\d+)\]/, (_, place: string) => `[${Number(place) + index}]`);

/** Reads a JSON body; an empty one is no body. Throws `EdgeFailure` for anything that is not JSON, nests too deep, has
 *  a key that would poison a prototype, or a text that cannot be stored. `part`: where a list of some elements lies in its body. */
export const parseJson = (raw: string, secureParse: (raw: string) => unknown, part?: PartOfBody): unknown => {
  if (raw.trim() === '') return undefined;
  const { deepest, forbiddenAt } = scanJson(raw);
  if (deepest > deepestNesting)
    throw new EdgeFailure(failures.invalidPayload('Payload is nested too deeply'));
  let parsed: unknown;
  try {
    parsed = secureParse(raw);
  } catch (error) {
    const flaw = syntaxErrorIn(raw);
    if (!flaw) throw new EdgeFailure(failures.invalidPayload('Payload has a forbidden property name'));
    throw new EdgeFailure(
      failures.malformedJson(placeOf(flaw, part ? { ...part, offset: part.offset - 1 } : whole)),
      { cause: error },
    );
  }
  if (forbiddenAt !== null) throw forbiddenText(pathInBody(pathAt(raw, forbiddenAt), part));
  return parsed;
};

const syntaxErrorIn = (raw: string): SyntaxError | null => {
  try {
    JSON.parse(raw);
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
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
      const parsed = parse(raw.toString());
      if (!(parsed instanceof Promise)) return done(null, parsed);
      parsed.then((body) => done(null, body), done);
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

/** Replaces Fastify's body parsers by the edge's: JSON and forms, nothing else. A form with a file is read by its handler. */
export const useBodyParsers = (fastify: FastifyInstance): void => {
  const secureParse = secureParserOf(fastify);
  fastify.removeAllContentTypeParsers();
  const parse = (raw: string, part?: PartOfBody): unknown => parseJson(raw, secureParse, part);
  // Only a route that says so lets a larger body come this far.
  const json = answering((raw) => (raw.length > bodyLimitBytes ? parseLargeJson(raw, parse) : parse(raw)));
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, json);
  fastify.addContentTypeParser(/^application\/[\w.-]+\+json(?:;|$)/, { parseAs: 'string' }, json);
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    answering(parseForm),
  );
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) =>
    done(null, new FormUpload(request, payload)),
  );
};
