import type { FactoryProvider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { lookupKeyOf, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { SecretHashes } from './secret-hash';

/** Provides the hashes of this installation's secrets, with the key that the database keeps. */
export const secretHashesProvider: FactoryProvider<SecretHashes> = {
  provide: SecretHashes,
  inject: [SCRIP_CONFIG, getDataSourceToken('auth')],
  useFactory: async (config: ScripConfig, database: DataSource) =>
    new SecretHashes(await lookupKeyOf(database, config, 'key-secrets')),
};
