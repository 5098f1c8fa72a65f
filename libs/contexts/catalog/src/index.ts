export { catalogContext } from './catalog.module';
