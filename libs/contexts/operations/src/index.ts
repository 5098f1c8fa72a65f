export { operationsContext } from './operations.module';
