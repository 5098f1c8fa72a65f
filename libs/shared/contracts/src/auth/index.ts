export type {
  ApiKeyIssued,
  ApiKeyRevoked,
  ClientAccessChanged,
  ClientSwitches,
  ProjectCreated,
  ProjectEvent,
} from './project.events';
export { type AuthPort, authPort, type Credentials, type Principal } from './auth.port';
