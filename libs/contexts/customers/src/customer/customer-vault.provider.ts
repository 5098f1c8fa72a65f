import type { FactoryProvider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { lookupKeyOf, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { CustomerVault, sourceIdsPurpose } from './customer-vault';

/** Provides `CustomerVault` with the key of source ids that the database keeps. */
export const customerVaultProvider: FactoryProvider<CustomerVault> = {
  provide: CustomerVault,
  inject: [SCRIP_CONFIG, getDataSourceToken('customers')],
  useFactory: async (config: ScripConfig, database: DataSource) =>
    new CustomerVault(config, await lookupKeyOf(database, config, sourceIdsPurpose)),
};
