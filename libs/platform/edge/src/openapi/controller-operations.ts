import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { refusalRows, refusalTablesOf, type RefusalTable } from '../failure/refusals';
import { dtoOf } from './handler-dto';
import { type OperationDescription, operationOf } from './operation';

type Class = new () => object;
type Controller = new (...args: never[]) => object;

/** What a handler says of one of its routes. */
export interface DescribedRoute {
  /** `GET /v1/campaigns/:campaignId`, as the controller spells it. */
  route: string;
  /** Null: the handler is not described. */
  description: OperationDescription | null;
  /** Of what it returns where it says nothing else. */
  status: number;
  /** DTO classes of the parameters; null where there are none. */
  body: Class | null;
  query: Class | null;
  /** The refusals its tables know. */
  refusals: RefusalTable;
}

const textsOf = (path: unknown): string[] => [path ?? ''].flat() as string[];

const joined = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((segment) => segment !== '')
    .join('/')}`;

const refusalsOf = (handler: object, controller: Controller): RefusalTable => {
  const tables = refusalTablesOf(handler, controller as new (...args: never[]) => unknown);
  const refuses = operationOf(handler)?.refuses;
  return refuses ? refusalRows(refuses, tables) : (Object.assign({}, ...tables) as RefusalTable);
};

const routesOf = (controller: Controller, name: string): DescribedRoute[] => {
  const handler = (controller.prototype as Record<string, object>)[name] as object;
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return [];
  const told: Omit<DescribedRoute, 'route'> = {
    description: operationOf(handler) ?? null,
    status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? 200,
    body: dtoOf(controller, name, RouteParamtypes.BODY),
    query: dtoOf(controller, name, RouteParamtypes.QUERY),
    refusals: refusalsOf(handler, controller),
  };
  return textsOf(Reflect.getMetadata(PATH_METADATA, controller)).flatMap((prefix) =>
    textsOf(Reflect.getMetadata(PATH_METADATA, handler)).map((path) => ({
      ...told,
      route: `${RequestMethod[method]} ${joined(prefix, path)}`,
    })),
  );
};

/** Every route of Nest controllers, from their decorators. */
export const routesOfControllers = (controllers: readonly Controller[]): DescribedRoute[] =>
  controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype)
      .filter((name) => name !== 'constructor')
      .flatMap((name) => routesOf(controller, name)),
  );
