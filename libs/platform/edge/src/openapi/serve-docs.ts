import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { answerFailure } from '../failure/answer-failure';
import { failures } from '../failure/failures';
import { docsAssets, docsPage, docsPolicy } from './docs-page';

interface Resource {
  /** The same bytes for all readers: Node copies a text for each connection that does not take it at once. */
  body: Buffer;
  contentType: string;
  etag: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const resource = (content: string | Buffer, contentType: string): Resource => {
  const body = Buffer.from(content);
  return { body, contentType, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
};

const pageFolder = dirname(require.resolve('swagger-ui-dist/package.json'));

const loaded = new Map<string, Promise<Resource>>();

const load = async (name: string): Promise<Resource> => {
  const asset = docsAssets[name]!;
  const body = 'text' in asset ? asset.text : await readFile(join(pageFolder, asset.file));
  return resource(body, contentTypes[extname(name)]!);
};

const assetOf = (name: string): Promise<Resource> | null => {
  if (!Object.hasOwn(docsAssets, name)) return null;
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
};

/** A document without the line breaks of its file. */
const openApiText = (file: string): string =>
  JSON.stringify(JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as object);

const documents = new Map<string, Resource>();

/** Made for the first reader: a process of specs, or a service behind the gateway, has none. */
const documentOf = (file: string): Resource => {
  const known = documents.get(file) ?? resource(openApiText(file), 'application/json; charset=utf-8');
  documents.set(file, known);
  return known;
};

/** With an ETag, so that browsers ask again but load only what changed. */
const answer = (request: FastifyRequest, reply: FastifyReply, { body, contentType, etag }: Resource) => {
  void reply
    .header('etag', etag)
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.header('content-type', contentType).send(body);
};

/** Serves the OpenAPI document at `/openapi.json`, the one for generators of clients at `/openapi.sdk.json`, and the first
 *  as a page at `/docs`. Both shapes ship the same documents, written from the sources by `npm run docs:openapi`. */
export const serveDocs = (fastify: FastifyInstance): void => {
  for (const name of ['openapi.json', 'openapi.sdk.json'])
    fastify.get(`/${name}`, (request, reply) => answer(request, reply, documentOf(name)));
  const page = resource(docsPage, 'text/html; charset=utf-8');
  fastify.get('/docs', (request, reply) =>
    answer(
      request,
      reply.header('content-security-policy', docsPolicy).header('referrer-policy', 'no-referrer'),
      page,
    ),
  );
  fastify.get<{ Params: { asset: string } }>('/docs/:asset', async (request, reply) => {
    const asset = await assetOf(request.params.asset);
    return asset
      ? answer(request, reply, asset)
      : answerFailure(request, reply, failures.unknownRoute(request));
  });
};
