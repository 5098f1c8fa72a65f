import { ROUTE_ARGS_METADATA, type RouteParamtypes } from '@nestjs/common/internal';
import { fieldsOf } from '../validation/dto-fields';

type Class = new () => object;
type Controller = new (...args: never[]) => object;

/** The DTO class of a handler's body or query; null where it has none. `name`: of the handler's method. */
export const dtoOf = (controller: Controller, name: string, kind: RouteParamtypes): Class | null => {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as unknown[];
  const found = Object.entries(args).find(([key]) => key.startsWith(`${kind}:`));
  const type = found ? types[found[1].index] : undefined;
  return typeof type === 'function' && type !== Object && fieldsOf(type as Class).size > 0
    ? (type as Class)
    : null;
};
