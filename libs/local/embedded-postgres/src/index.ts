export { makeContextRoles } from './context-roles';
export { type DatabaseUrls, runningDatabaseUrls } from './database-urls';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';
export { DataDirectoryInUse } from './ownership';
