import { SetMetadata } from '@nestjs/common';

/** The contexts that serve public routes. */
export const owningContexts = [
  'auth',
  'campaigns',
  'customers',
  'qualification',
  'webhooks',
  'operations',
] as const;

/** Name of a context = service = schema = DataSource. */
export type OwningContext = (typeof owningContexts)[number];

const contextMetadata = Symbol('scrip.context');

/** Says which context a controller belongs to: its schema holds the key rows of its commands. */
export const ContextOf = (context: OwningContext): ClassDecorator => SetMetadata(contextMetadata, context);

/** The context a controller says it belongs to. */
export const contextNameOf = (controller: object): OwningContext | undefined =>
  Reflect.getMetadata(contextMetadata, controller) as OwningContext | undefined;
