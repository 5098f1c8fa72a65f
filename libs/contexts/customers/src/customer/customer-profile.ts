import { isDeepStrictEqual } from 'node:util';
import type { CustomerInput, CustomerSnapshot } from '@scrip/contracts/customers';
import type { Instant } from '@scrip/contracts/snapshot';
import { type Refusal, refuse } from '@scrip/kernel';

/** Everything a customer tells about itself: what events and rows carry only sealed. Source: reference 07 §3. */
export type CustomerProfile = Omit<CustomerSnapshot, 'id' | 'created_at' | 'updated_at'>;

/** Of a customer without a stored profile. */
export const emptyProfile: CustomerProfile = {
  source_id: null,
  name: null,
  description: null,
  email: null,
  phone: null,
  birthdate: null,
  birthday: null,
  address: null,
  metadata: {},
};

const replacedFields = [
  'name',
  'description',
  'email',
  'phone',
  'birthdate',
  'birthday',
  'address',
] as const satisfies readonly (keyof CustomerProfile)[];

/** The profile with what was sent over it: unsent fields stay, metadata is merged by its top-level keys (null is a
 *  value), an address is replaced whole. A source id, once there is a customer, never changes.
 *  Source: reference 03 §3.2, reference 07 §1.1. */
export const mergeProfile = (profile: CustomerProfile, sent: CustomerInput): CustomerProfile => {
  const merged: CustomerProfile = { ...profile };
  for (const field of replacedFields) {
    if (sent[field] !== undefined) Object.assign(merged, { [field]: sent[field] });
  }
  if (sent.metadata) merged.metadata = { ...profile.metadata, ...sent.metadata };
  return merged;
};

/** The profile with nothing but what was sent, and its source id. Source: reference 07 §11. */
export const replaceProfile = ({ source_id }: CustomerProfile, sent: CustomerInput): CustomerProfile =>
  mergeProfile({ ...emptyProfile, source_id }, sent);

/** The profile that a deleted customer keeps: its source id is free for another one. Source: reference 07 §3. */
export const deletedProfile = (profile: CustomerProfile, now: Instant): CustomerProfile => ({
  ...profile,
  source_id: profile.source_id === null ? null : `${profile.source_id}_deleted${Date.parse(now)}`,
});

/** The source id that a deleted customer had; null: none. */
export const sourceIdOfDeleted = ({ source_id }: Pick<CustomerProfile, 'source_id'>): string | null =>
  source_id?.replace(/_deleted\d+$/, '') ?? null;

/** UTF-16 units of the JSON of one profile, so that its events stay far from the limit of an event. */
const profileLengthMax = 262_144;

/** Refuses a profile that grew too large, by texts sent or by metadata merged. */
export const profileMustFit = (profile: CustomerProfile): Refusal<'invalid_payload'> | null =>
  textMustFit(JSON.stringify(profile));

/** As `profileMustFit`, of the JSON of a profile. */
export const textMustFit = (text: string): Refusal<'invalid_payload'> | null =>
  text.length > profileLengthMax
    ? refuse('invalid_payload', `A customer holds at most ${profileLengthMax} characters of JSON`)
    : null;

/** The profile of a new customer. */
export const newProfile = (sent: CustomerInput): CustomerProfile =>
  mergeProfile({ ...emptyProfile, source_id: sent.source_id || null }, sent);

/** Whether two profiles say the same; the order of keys says nothing. */
export const sameProfile = (a: CustomerProfile, b: CustomerProfile): boolean => isDeepStrictEqual(a, b);

/** The customer as other contexts see it. */
export const snapshotOf = (
  id: string,
  profile: CustomerProfile,
  dates: { created_at: Instant; updated_at: Instant | null },
): CustomerSnapshot => ({ id, ...profile, ...dates });
