export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';
export { DataDirectoryInUse } from './ownership';
