export { type Databases, databasesOf, embeddedDatabaseUrl } from './databases';
export { type CheckResult, differencesIn, reconcile } from './reconcile';
export { reportOf } from './report';
