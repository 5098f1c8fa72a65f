export {
  type MetadataSchemaCreated,
  type MetadataSchemaDeleted,
  type MetadataSchemaEvent,
  type MetadataSchemaUpdated,
  projectsOfChangedTypes,
} from './metadata-schema.events';
export type { MetadataSchemaSnapshot } from './metadata-schema.snapshot';
export type {
  ApiKeyIssued,
  ApiKeyRevoked,
  ClientAccessChanged,
  ClientSwitches,
  ProjectCreated,
  ProjectDeleted,
  ProjectEvent,
  ProjectUpdated,
  StackingRulesSnapshot,
} from './project.events';
export { projectsOfChangedZones } from './project.events';
export {
  type AuthPort,
  type ToldFact,
  authPort,
  type CallersSession,
  type Credentials,
  type KeptLocation,
  locationsPerCall,
  type Principal,
  schemasPerCall,
} from './auth.port';
export {
  type LocationUser,
  type LocationUsersPort,
  locationUsersMethods,
  usersPerCall,
} from './location-users.port';
