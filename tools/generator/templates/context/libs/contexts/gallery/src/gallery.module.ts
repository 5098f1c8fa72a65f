import { Module } from '@nestjs/common';
import type { ContextDefinition } from '@scrip/service';
import { galleryMigrations } from './migrations';

@Module({ controllers: [], providers: [] })
class GalleryModule {}

/** The gallery, as a process boots it. */
export const galleryContext: ContextDefinition = {
  name: 'gallery',
  module: GalleryModule,
  migrations: galleryMigrations,
};
