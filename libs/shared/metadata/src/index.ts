export { type FilterContext, type FilterContextNow, FilterContexts } from './filter-contexts';
export { FilterLocations, lockFilters } from './filter-locations';
export { LocationMatcher, noPlaces, type PlacesInLocations } from './location-matcher';
export { MetadataSchemas } from './metadata-schemas';
