export { simpleRedemption } from './simple-redemption';
