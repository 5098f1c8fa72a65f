export { type Databases, contextDatabases, databasesOf } from './databases';
export { type CheckResult, differencesIn, reconcile } from './reconcile';
export { reportOf } from './report';
export { redemptionStates } from './checks/states';
