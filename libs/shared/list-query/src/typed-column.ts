import type { MetadataType } from '@scrip/metadata-schemas';
import type { ValueKind } from './filter-operators';
import type { TypedMembers, ValueColumn } from './value-column';

/** What values of a type are compared as; texts and objects as without a type, but by operators on texts only. */
const kindOf: Record<MetadataType, ValueKind> = {
  string: 'json',
  image_url: 'json',
  object: 'json',
  number: 'number',
  boolean: 'flag',
  date: 'day',
  datetime: 'instant',
  geopoint: 'geopoint',
};

/** A member of metadata that has a type by its schema; `untyped` where it has none. Source: reference 07 §1.5, §8. */
export const typedColumn = (
  untyped: ValueColumn,
  { calendar, stored }: TypedMembers,
  type: MetadataType | undefined,
): ValueColumn => {
  if (type === undefined) return untyped;
  const { sql, indexed, places } = untyped;
  return {
    kind: kindOf[type],
    sql,
    typed: true,
    ...(indexed && { indexed }),
    ...(type === 'geopoint' && places && { places }),
    ...(type === 'date' || type === 'datetime' ? { calendar } : {}),
    ...(stored ? { otherwise: untyped } : {}),
  };
};
