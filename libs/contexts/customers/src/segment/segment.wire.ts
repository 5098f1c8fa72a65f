import type { SegmentSnapshot } from '@scrip/contracts/customers';

/** A segment as callers see it: `updated_at` comes with the first change. Source: reference 07 §4. */
export const renderSegment = ({ id, name, type, filter, created_at, updated_at }: SegmentSnapshot) => ({
  id,
  name,
  created_at,
  ...(updated_at === null ? {} : { updated_at }),
  type,
  filter,
  object: 'segment' as const,
});

/** What `renderSegment` makes. */
export type SegmentResponse = ReturnType<typeof renderSegment>;

/** A segment among those of a customer. Source: reference 07 §3. */
export const renderMembership = ({ id, name }: Pick<SegmentSnapshot, 'id' | 'name'>) => ({
  id,
  name,
  object: 'segment' as const,
});

/** What `renderMembership` makes. */
export type MembershipResponse = ReturnType<typeof renderMembership>;
