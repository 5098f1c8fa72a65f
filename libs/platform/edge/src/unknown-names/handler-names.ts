import { RouteParamtypes } from '@nestjs/common/internal';
import { dtoOf } from '../openapi/handler-dto';
import { inlineDtoSchema } from '../openapi/dto-schema';
import { operationOf } from '../openapi/operation';
import { type KnownNames, knownNamesOf, noNames } from './known-names';

type Controller = new (...args: never[]) => object;
type Handler = (...args: never[]) => unknown;

/** What a handler reads of a request. */
export interface HandlerNames {
  body: KnownNames;
  query: KnownNames;
  /** Whether it answers a list. */
  lists: boolean;
}

const namesByHandler = new WeakMap<Handler, HandlerNames>();

const readFrom = (controller: Controller, { name }: Handler, source: 'body' | 'query'): KnownNames => {
  const dto = dtoOf(controller, name, source === 'body' ? RouteParamtypes.BODY : RouteParamtypes.QUERY);
  return dto ? knownNamesOf(inlineDtoSchema(dto, source)) : noNames;
};

const namesOf = (controller: Controller, handler: Handler): HandlerNames => {
  const { body: own, answers } = operationOf(handler) ?? {};
  const query = readFrom(controller, handler, 'query');
  const answer = answers?.[200];
  return {
    body: own ? knownNamesOf(own) : readFrom(controller, handler, 'body'),
    query,
    lists:
      (typeof answer === 'object' && answer !== null && 'list' in answer) ||
      query.names?.has('limit') === true,
  };
};

/** The names that a handler reads, by its DTO classes and its own schema of a body. */
export const handlerNames = (controller: Controller, handler: Handler): HandlerNames => {
  const known = namesByHandler.get(handler) ?? namesOf(controller, handler);
  namesByHandler.set(handler, known);
  return known;
};
