export { type FilterContext, type FilterContextNow, FilterContexts } from './filter-contexts';
export { LocationMatcher, noPlaces, type PlacesInLocations } from './location-matcher';
export { MetadataSchemas } from './metadata-schemas';
