import { publicRoutes } from '@scrip/contracts/registry';
import { type JsonSchema, openApiDocument, routesOfControllers } from '@scrip/edge';
import { sentKinds } from '@scrip/webhooks';
import { join } from 'node:path';
import { repositoryRoot } from '../types/source-program';
import { answerTypes } from './answer-types';
import { allControllers } from './contexts';

/** Where the document is kept: the edge ships it. */
export const openApiFile = join(repositoryRoot, 'libs/platform/edge/src/openapi/openapi.json');

/** The document for generators of clients, beside it. */
export const sdkFile = join(repositoryRoot, 'libs/platform/edge/src/openapi/openapi.sdk.json');

/** The document of today's route table, controllers and types of the wire. */
export const openApiOfSources = (): JsonSchema => {
  const routes = routesOfControllers(allControllers());
  const payloads = sentKinds.map(({ payload }) => payload);
  return openApiDocument(publicRoutes, routes, answerTypes(routes, payloads), sentKinds);
};
