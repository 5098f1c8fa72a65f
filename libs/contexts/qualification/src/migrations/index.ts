import type { MigrationClass } from '@scrip/event-store';
import { CreateLimitCounters1800000000200 } from './create-limit-counters.migration';
import { CreateQualification1800000000000 } from './create-qualification.migration';
import { ListFindsByIndex1800000000400 } from './list-finds-by-index.migration';
import { RedemptionsNameTheirEvent1800000000100 } from './redemptions-name-their-event.migration';

/** The schema of the context `qualification`. */
export const qualificationMigrations: MigrationClass[] = [
  CreateQualification1800000000000,
  RedemptionsNameTheirEvent1800000000100,
  CreateLimitCounters1800000000200,
  ListFindsByIndex1800000000400,
];
