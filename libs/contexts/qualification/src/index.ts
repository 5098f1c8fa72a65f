export { qualificationContext } from './qualification.module';
