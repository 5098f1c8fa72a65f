export { promotionsContext } from './promotions.module';
