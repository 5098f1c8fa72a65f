export { galleryContext } from './gallery.module';
