export { MetadataSchemas } from './metadata-schemas';
export { LocationTests, noPlaces, type PlacesInLocations } from './location-tests';
