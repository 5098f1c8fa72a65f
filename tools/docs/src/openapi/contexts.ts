import { allContexts } from '@scrip/contexts';

type Controller = new (...args: never[]) => object;

interface ModuleLike {
  module?: object;
  controllers?: Controller[];
  imports?: unknown[];
}

const decorated = (module: object, what: 'controllers' | 'imports'): unknown[] =>
  (Reflect.getMetadata(what, module) as unknown[] | undefined) ?? [];

const controllersOf = (imported: unknown, seen: Set<unknown>): Controller[] => {
  if (typeof imported !== 'function' && (typeof imported !== 'object' || imported === null)) return [];
  if (seen.has(imported)) return [];
  seen.add(imported);
  if (typeof imported === 'function') {
    const own = decorated(imported, 'controllers') as Controller[];
    return [...own, ...decorated(imported, 'imports').flatMap((one) => controllersOf(one, seen))];
  }
  const { module, controllers = [], imports = [] } = imported as ModuleLike;
  return [...controllers, ...[module, ...imports].flatMap((one) => controllersOf(one, seen))];
};

/** The controllers of all contexts, found through their modules. */
export const allControllers = (): Controller[] => {
  const seen = new Set<unknown>();
  return allContexts.flatMap(({ module }) => controllersOf(module, seen));
};
