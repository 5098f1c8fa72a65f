export { campaignsContext } from './campaigns.module';
