import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { pooledRandom } from './random-pool';

/** An opaque identifier that begins with its prefix: `Id<'camp_'>`. A literal such as `'camp_1'` fits too. */
export type Id<Prefix extends string> = `${Prefix}${string}`;

/** Creates the ids of one decision, so that deciders need neither clock nor randomness. `kind` says what the id
 *  identifies within the command ("voucher", "voucher:3"). */
export interface IdSource {
  next<Prefix extends string>(prefix: Prefix, kind: string): Id<Prefix>;
}

const last = { msecs: 0, seq: 0 };

/** A UUIDv7 after the last one: within a millisecond its counter goes on, which begins anywhere in its lower half. */
const nextUuid = (): string => {
  const random = pooledRandom(16);
  const now = Date.now();
  if (now > last.msecs) {
    last.msecs = now;
    last.seq = random.readUInt32BE(6) >>> 1;
  } else {
    last.seq += 1;
  }
  return v7({ msecs: last.msecs, seq: last.seq, random });
};

const withoutDashes = (uuid: string): string => uuid.replaceAll('-', '');

/** `prefix` and a UUIDv7 as 32 lower-case hex digits. Ids of one process sort in creation order, those of several
 *  processes to the millisecond. Source: reference 07 §1.1. */
export const newId = <Prefix extends string>(prefix: Prefix): Id<Prefix> =>
  `${prefix}${withoutDashes(nextUuid())}`;

/** Returns an event id: a UUIDv7 with dashes. */
export const newEventId = (): string => nextUuid();

/** Returns the id of an API call: `v-` and 18 hex digits. Source: reference 07 §1.1. */
export const newRequestId = (): string => `v-${pooledRandom(9).toString('hex')}`;

/** Returns the id of a call of the dashboard: `w-` and 18 hex digits. Source: reference 07 §1.1. */
export const newDashboardRequestId = (): string => `w-${pooledRandom(9).toString('hex')}`;

/** Creates new ids; `kind` is ignored. */
export const randomIds: IdSource = { next: (prefix) => newId(prefix) };

// JSON keeps ("ab", "c") apart from ("a", "bc").
const digestOf = (parts: readonly (string | number)[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();

const asUuid7 = (bytes: Buffer): string => {
  bytes[6] = (bytes[6]! & 0x0f) | (7 << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex');
};

/** Whether a repeated command gets these ids again; false for `randomIds`. */
export const comesAgain = (ids: IdSource): boolean => ids !== randomIds;

/** Creates ids that a repeated command gets again: time bits from `createdAt` (the command's, to the millisecond),
 *  the rest from `commandId`, the kind and `attempt`: each attempt of a command gets other ids. It is absent where
 *  ids are the same whatever the attempt. One kind asked for twice gives one id twice: number the kinds of several
 *  things alike. */
export const derivedIds = (seed: { createdAt: Date; commandId: string; attempt?: number }): IdSource => ({
  next: (prefix, kind) => {
    const bytes = Buffer.alloc(16);
    bytes.writeUIntBE(seed.createdAt.getTime(), 0, 6);
    digestOf([seed.commandId, kind, seed.attempt ?? 0]).copy(bytes, 6, 0, 10);
    return `${prefix}${asUuid7(bytes)}`;
  },
});

/** Creates the ids of what comes of one thing, which come again whenever they are asked for: those of `derivedIds` for a command with
 *  the id of that thing and its time. Throws for an id that `newId` or `derivedIds` did not make. */
export const idsDerivedFrom = (id: string): IdSource => {
  const [, hex] = /([0-9a-f]{12})[0-9a-f]{20}$/.exec(id) ?? [];
  if (hex === undefined) throw new Error(`no time in id ${id}`);
  return derivedIds({ createdAt: new Date(Number.parseInt(hex, 16)), commandId: id });
};
