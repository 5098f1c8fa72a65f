import type { FactoryProvider } from '@nestjs/common';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { PasswordHashes } from './password-hashes';

/** Provides the hashes of passwords at the configured cost. */
export const passwordHashesProvider: FactoryProvider<PasswordHashes> = {
  provide: PasswordHashes,
  inject: [SCRIP_CONFIG],
  useFactory: ({ users }: Pick<ScripConfig, 'users'>) => new PasswordHashes(users.passwordCost),
};
