import type { ContextDefinition } from '@scrip/service';

export type Controller = new (...args: never[]) => object;

const declared = (module: object, what: 'imports' | 'controllers'): unknown[] =>
  (Reflect.getMetadata(what, module) ?? []) as unknown[];

const ofModule = (module: object): Controller[] => [
  ...(declared(module, 'controllers') as Controller[]),
  ...declared(module, 'imports').flatMap((imported) =>
    typeof imported === 'function' ? ofModule(imported) : [],
  ),
];

/** The controllers of a context's module, and of those it imports by their classes. */
export const controllersOf = ({ module }: Pick<ContextDefinition, 'module'>): Controller[] =>
  ofModule(module);
