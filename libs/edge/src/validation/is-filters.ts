import { type FilterSpec, readFilters } from '../lists/filters';
import { declareField } from './dto-fields';
import { IsAnything } from './rules';

/** A list's `filters`, read as `Filters`; for queries and bodies. */
export const IsFilters =
  (spec: FilterSpec): PropertyDecorator =>
  (prototype, property) => {
    IsAnything()(prototype, property);
    declareField(prototype, String(property), { normalise: (value) => readFilters(value, spec) });
  };
