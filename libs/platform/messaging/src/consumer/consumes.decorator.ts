import {
  type ArgumentsHost,
  Catch,
  type RpcExceptionFilter,
  UseFilters,
  applyDecorators,
} from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { type StartingPosition, contextOfGroup } from './consumer';
import { parseTopic } from '../feed/topic-name';

/** Nest hands `@Consumes` handlers to the transport with this id, and to no other. */
export const EVENT_BUS = Symbol.for('scrip.event-bus');

export interface ConsumesOptions {
  /** `context.purpose`, for example `webhooks.fan-out`; the context names the schema of position and tables. */
  group: string;
  /** Where a new group starts; the beginning unless given. */
  from?: StartingPosition;
  /** Makes the group rebuildable: the tables that only its handlers fill. They write in `commit` alone, by
   *  SQL that names tables without their schema, since a rebuild fills copies of them. Leave it out where effects leave
   *  these tables, as in the webhook fan-out. */
  fills?: readonly string[];
}

/** Metadata key under which the transport finds the options among the handler's extras. */
export const CONSUMES = 'scrip.consumes';

/** Nest would replace an error by "Internal server error"; the transport decides by the real one. */
@Catch()
export class UnchangedErrors implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/** Feeds the events of one topic or several to a controller's method, which takes an `EventBatch`. Each topic has
 *  its own position and order; several groups may consume one topic. Throws `TypeError` on a malformed topic or
 *  group. Source: architecture §6. */
export const Consumes = (topics: string | readonly string[], options: ConsumesOptions): MethodDecorator => {
  const names = [topics].flat();
  names.forEach(parseTopic);
  contextOfGroup(options.group);
  return applyDecorators(
    EventPattern(names, EVENT_BUS, { [CONSUMES]: options }),
    UseFilters(new UnchangedErrors()),
  );
};
