import { type JsonSchema, openApiDocument, publicRoutes, routesOfControllers } from '@scrip/edge';
import { join } from 'node:path';
import { repositoryRoot } from '../types/source-program';
import { answerTypes } from './answer-types';
import { allControllers } from './contexts';

/** Where the document is kept: the edge ships it. */
export const openApiFile = join(repositoryRoot, 'libs/edge/src/openapi/openapi.json');

/** The document of today's route table, controllers and types of the wire. */
export const openApiOfSources = (): JsonSchema => {
  const routes = routesOfControllers(allControllers());
  return openApiDocument(publicRoutes, routes, answerTypes(routes));
};
