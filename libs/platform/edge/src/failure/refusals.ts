import { SetMetadata } from '@nestjs/common';
import type { Refusal } from '@scrip/kernel';
import type { Failure } from './failure';

/** What a refusal is answered with. */
export interface StatusAndMessage {
  status: number;
  message: string;
  /** After how many seconds the same request is worth repeating; absent: it is not answered. */
  retryAfterS?: number;
  /** Whether it only says that another request is in the way at the moment. Such an answer is not kept under an
   *  Idempotency-Key: the same request may succeed soon. */
  temporary?: true;
}

/** HTTP status and message by the key of a refusal. */
export type RefusalTable = Record<string, StatusAndMessage>;

/** The table that the keys of a context need: complete, or it does not compile. Keys that mean the same everywhere may be
 *  left out. Source: reference 07 §1.3. */
export type RefusalTableOf<Key extends string> = Record<Exclude<Key, CommonRefusalKey>, StatusAndMessage> &
  Partial<Record<CommonRefusalKey, StatusAndMessage>>;

const refusalsMetadata = Symbol('scrip.refusals');

/** Gives a controller (or one handler) its refusal table. Keys of reference 07 §1.3 need no row. */
export const Refusals = (table: RefusalTable): ClassDecorator & MethodDecorator =>
  SetMetadata(refusalsMetadata, table);

/** Keys that mean the same everywhere. Source: reference 07 §1.3. */
const commonRefusals = {
  invalid_payload: { status: 400, message: 'Invalid payload' },
  invalid_query_params: { status: 400, message: 'Invalid query params' },
  metadata_validation_failed: { status: 400, message: 'Metadata validation failed' },
  resource_in_use: { status: 400, message: 'Resource in use' },
  multiple_requests: { status: 400, message: 'Multiple requests', temporary: true },
  unauthorized: { status: 401, message: 'Unauthorized' },
  missing_required_feature: { status: 402, message: 'Payment required' },
  missing_required_permission: { status: 403, message: 'Missing permission' },
  forbidden: { status: 403, message: 'Forbidden' },
  password_required: { status: 403, message: 'Password required' },
  not_found: { status: 404, message: 'Resource not found' },
  duplicate_found: { status: 409, message: 'Duplicated resource found' },
  idempotency_key_in_use: { status: 409, message: 'Idempotency key in use', retryAfterS: 1 },
} satisfies RefusalTable;

/** A key that means the same everywhere. */
export type CommonRefusalKey = keyof typeof commonRefusals;

/** Looks a key up in one table only: `toString` is no row of it. */
const rowIn = (table: RefusalTable | undefined, key: string) =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

type Decorated = abstract new (...args: never[]) => unknown;

/** The tables that apply to a handler, nearest first. */
export const refusalTablesOf = (handler: object, controller: Decorated): RefusalTable[] =>
  [handler, controller]
    .map((target) => Reflect.getMetadata(refusalsMetadata, target) as RefusalTable | undefined)
    .filter((table) => table !== undefined);

/** The rows of `keys`, from `tables` or from what means the same everywhere. Throws `Error` for a key without a row. */
export const refusalRows = (keys: readonly string[], tables: readonly RefusalTable[]): RefusalTable =>
  Object.fromEntries(
    keys.map((key) => {
      const row = [...tables, commonRefusals]
        .map((table) => rowIn(table, key))
        .find((one) => one !== undefined);
      if (!row) throw new Error(`refusal ${key} has no status in any table`);
      return [key, row];
    }),
  );

/** The failure that tells a refusal. `resourceId` and `resourceType` become `resource_id` and `resource_type`; further
 *  fields pass as they are. Throws `Error` (a defect) for a key that no table has. */
export const failureOfRefusal = (refusal: Refusal, tables: readonly RefusalTable[] = []): Failure => {
  const { refused, details, message, resourceId, resourceType, ...extra } = refusal;
  const row = [...tables, commonRefusals]
    .map((table) => rowIn(table, refused))
    .find((found) => found !== undefined);
  if (!row) throw new Error(`refusal ${refused} has no status in any table`);
  return {
    status: row.status,
    key: refused,
    message: message ?? row.message,
    ...(details === undefined ? {} : { details }),
    extra: {
      ...(resourceId === undefined ? {} : { resource_id: resourceId }),
      ...(resourceType === undefined ? {} : { resource_type: resourceType }),
      ...extra,
    },
    ...(row.temporary ? { temporary: true } : {}),
    ...(row.retryAfterS === undefined ? {} : { headers: { 'Retry-After': String(row.retryAfterS) } }),
  };
};
