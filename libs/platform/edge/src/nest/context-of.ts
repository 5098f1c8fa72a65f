import { SetMetadata } from '@nestjs/common';
import type { ContextName } from '@scrip/contracts/registry';

const contextMetadata = Symbol('scrip.context');

/** Says which context a controller belongs to: its schema holds the key rows of its commands. */
export const ContextOf = (context: ContextName): ClassDecorator => SetMetadata(contextMetadata, context);

/** The context a controller says it belongs to. */
export const contextNameOf = (controller: object): ContextName | undefined =>
  Reflect.getMetadata(contextMetadata, controller) as ContextName | undefined;
