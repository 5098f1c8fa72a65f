import type { ContextDefinition } from '@scrip/service';
import { qualificationMigrations } from './migrations';
import { QualificationModule } from './qualification.module';

/** Validations, redemptions, rollbacks, and the verdicts that owners of claims ask for. */
export const qualificationContext: ContextDefinition = {
  name: 'qualification',
  module: QualificationModule,
  migrations: qualificationMigrations,
};
