import { type IdSource, refuse } from '@scrip/kernel';
import { filledIdentifier, integerFrom, nullable, oneOf, type Reader, shape } from '@scrip/wire/requests';
import type { QualificationRefusal } from '../qualification.refusals';

/** Units of `ttl`, milliseconds. */
const unitsMs = {
  DAYS: 86_400_000,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1_000,
  MILLISECONDS: 1,
  MICROSECONDS: 1e-3,
  NANOSECONDS: 1e-6,
} as const;

type TtlUnit = keyof typeof unitsMs;

const longestMs = 365 * unitsMs.DAYS;
const byDefault = { ttl: 7, ttl_unit: 'DAYS' } as const;

/** What a caller says of a session. Source: reference 03 §8. */
export const sessionFields = {
  key: filledIdentifier,
  type: oneOf('LOCK'),
  ttl: integerFrom(1),
  ttl_unit: oneOf('DAYS', 'HOURS', 'MINUTES', 'SECONDS', 'MILLISECONDS', 'MICROSECONDS', 'NANOSECONDS'),
};

/** The property `session` of a body. */
export const sessionRequest = shape({
  key: nullable(sessionFields.key),
  type: nullable(sessionFields.type),
  ttl: nullable(sessionFields.ttl),
  ttl_unit: nullable(sessionFields.ttl_unit),
});

/** A session as a caller sent it. */
export type SessionRequest = typeof sessionRequest extends Reader<infer T> ? T : never;

/** A session that holds something. */
export interface Session {
  key: string;
  type: 'LOCK';
  ttl: number;
  ttl_unit: TtlUnit;
}

const lastsMs = ({ ttl, ttl_unit }: Pick<Session, 'ttl' | 'ttl_unit'>): number => ttl * unitsMs[ttl_unit];

const withDefaults = ({ ttl = byDefault.ttl, ttl_unit = byDefault.ttl_unit }: SessionRequest) => ({
  ttl,
  ttl_unit,
});

/** Whether a session lasts longer than 365 days. Source: reference 03 §14. */
export const isTooLong = (sent: SessionRequest): boolean => lastsMs(withDefaults(sent)) > longestMs;

/** Refuses `invalid_payload` for a session of a body that lasts too long. */
export const tooLongSession = (sent: SessionRequest | undefined): QualificationRefusal | null =>
  sent && isTooLong(sent)
    ? refuse('invalid_payload', 'Property .session.ttl must not be longer than 365 days')
    : null;

/** The session that a validation establishes; null where it asks for none. A key of its own where none was sent: the same for a
 *  repetition of the command, which would be refused what it holds itself. Source: reference 03 §8. */
export const establishedBy = (sent: SessionRequest | undefined, ids: IdSource): Session | null =>
  sent?.type === 'LOCK'
    ? { key: sent.key ?? ids.next('ssn_', 'session'), type: sent.type, ...withDefaults(sent) }
    : null;

/** From when on a session holds nothing any more; in whole milliseconds. */
export const expiryOf = (session: Session, now: Date): string =>
  new Date(now.getTime() + Math.floor(lastsMs(session))).toISOString();
