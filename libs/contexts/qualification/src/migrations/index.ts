import type { MigrationClass } from '@scrip/event-store';
import { AssignmentsAreConfirmed1802200000114 } from './assignments-are-confirmed.migration';
import { CreateLimitCounters1800000000200 } from './create-limit-counters.migration';
import { CreateQualification1800000000000 } from './create-qualification.migration';
import { CreateRules1800000000500 } from './create-rules.migration';
import { RulesTellWhatTheyName1803100000146 } from './rules-tell-what-they-name.migration';
import { CreateCandidates1803000000150 } from './create-candidates.migration';
import { CreateDeletedObjects1802300000013 } from './create-deleted-objects.migration';
import { CreateValidationSums1802300000003 } from './create-validation-sums.migration';
import { LimitCountersCountUnits1802900000140 } from './limit-counters-count-units.migration';
import { ListFindsByIndex1800000000400 } from './list-finds-by-index.migration';
import { RedemptionsNameTheirEvent1800000000100 } from './redemptions-name-their-event.migration';

/** The schema of the context `qualification`. */
export const qualificationMigrations: MigrationClass[] = [
  CreateQualification1800000000000,
  RedemptionsNameTheirEvent1800000000100,
  CreateLimitCounters1800000000200,
  ListFindsByIndex1800000000400,
  CreateRules1800000000500,
  AssignmentsAreConfirmed1802200000114,
  CreateValidationSums1802300000003,
  CreateDeletedObjects1802300000013,
  LimitCountersCountUnits1802900000140,
  CreateCandidates1803000000150,
  RulesTellWhatTheyName1803100000146,
];
