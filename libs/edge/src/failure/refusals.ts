import { SetMetadata } from '@nestjs/common';
import type { Refusal } from '@scrip/kernel';
import type { Failure } from './failure';

/** HTTP status and message of each refusal key a controller may answer; a missing key does not compile. */
export type RefusalTable<Key extends string = string> = Record<Key, { status: number; message: string }>;

const refusalsMetadata = Symbol('scrip.refusals');

/** Gives a controller (or one handler) its refusal table. Keys of spec 07 §1.3 need no row. */
export const Refusals = (table: RefusalTable): ClassDecorator & MethodDecorator =>
  SetMetadata(refusalsMetadata, table);

/** Keys that mean the same everywhere. Source: spec 07 §1.3. */
const commonRefusals: RefusalTable = {
  invalid_payload: { status: 400, message: 'Invalid payload' },
  invalid_query_params: { status: 400, message: 'Invalid query params' },
  metadata_validation_failed: { status: 400, message: 'Metadata validation failed' },
  resource_in_use: { status: 400, message: 'Resource in use' },
  multiple_requests: { status: 400, message: 'Multiple requests' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  missing_required_feature: { status: 402, message: 'Payment required' },
  missing_required_permission: { status: 403, message: 'Missing permission' },
  forbidden: { status: 403, message: 'Forbidden' },
  not_found: { status: 404, message: 'Resource not found' },
  duplicate_found: { status: 409, message: 'Duplicated resource found' },
};

/** Looks a key up in one table only: `toString` is no row of it. */
const rowIn = (table: RefusalTable | undefined, key: string) =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

type Decorated = abstract new (...args: never[]) => unknown;

/** The tables that apply to a handler, nearest first. */
export const refusalTablesOf = (handler: object, controller: Decorated): RefusalTable[] =>
  [handler, controller]
    .map((target) => Reflect.getMetadata(refusalsMetadata, target) as RefusalTable | undefined)
    .filter((table) => table !== undefined);

/** The failure that tells a refusal. `resourceId` and `resourceType` become `resource_id` and `resource_type`; further
 *  fields pass as they are. Throws `Error` (a defect) for a key that no table has and that brings no status itself. */
export const failureOfRefusal = (refusal: Refusal, tables: readonly RefusalTable[] = []): Failure => {
  const { refused, details, message, status, resourceId, resourceType, ...extra } = refusal;
  const row = [...tables, commonRefusals]
    .map((table) => rowIn(table, refused))
    .find((found) => found !== undefined);
  const answerStatus = status ?? row?.status;
  if (answerStatus === undefined) throw new Error(`refusal ${refused} has no status in any table`);
  return {
    status: answerStatus,
    key: refused,
    message: message ?? row?.message ?? refused,
    ...(details === undefined ? {} : { details }),
    extra: {
      ...(resourceId === undefined ? {} : { resource_id: resourceId }),
      ...(resourceType === undefined ? {} : { resource_type: resourceType }),
      ...extra,
    },
  };
};
