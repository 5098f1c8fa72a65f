import type { Metadata } from '@scrip/contracts/snapshot';
import type { FilterSpec } from '@scrip/edge';
import { type Filters, filterOperators } from '@scrip/list-query';

/** What members of a segment can be told by; `.*` stands for any name. Source: reference 07 §4. */
export const segmentFields = [
  'name',
  'email',
  'phone',
  'source_id',
  'description',
  'city',
  'address.*',
  'birthdate',
  'birthday',
  'created_at',
  'updated_at',
  'metadata.*',
  'system_metadata.*',
  'summary.*',
  'loyalty.*',
  'loyalty_tier.*',
  'loyalty_points.campaigns.*',
  'events.*',
  'publications.created_at',
  'publications.related_object_id',
] as const;

/** The filter of a segment in a body. */
export const segmentFilterSpec: FilterSpec = {
  fields: segmentFields,
  operators: filterOperators,
  typeName: 'Segment',
  property: 'filter',
};

/** The filter as it is stored and shown: every value in a list, `junction` always there. Source: reference 07 §1.5. */
export const storedFilter = ({ junction, fields }: Filters): Metadata => ({
  junction,
  ...Object.fromEntries(Object.entries(fields).map(([field, conditions]) => [field, { conditions }])),
});
