import { type Check, checkExists } from '../check';
import type { Source } from '../sorted-rows';

const inQualification = (sql: string): Source => ({ in: 'qualification', sql });

const redemptions = inQualification(
  `SELECT project_id || ' ' || id AS key FROM qualification.redemptions
   WHERE state IS NOT NULL OR snapshot_version IS NOT NULL`,
);

const recordings = inQualification(`
  SELECT project_id || ' ' || stream_id AS key FROM qualification.events
  WHERE aggregate = 'redemption' AND type IN ('RedemptionSucceeded', 'RedemptionFailed')`);

const rollbacks = inQualification(`SELECT project_id || ' ' || id AS key FROM qualification.rollbacks`);

const rollbackEvents = inQualification(`
  SELECT project_id || ' ' || (data->'rollback'->>'id') AS key FROM qualification.events
  WHERE aggregate = 'redemption' AND type IN ('RedemptionRolledBack', 'RedemptionRollbackFailed')`);

/** Rows of redemptions and rollbacks against their events. */
export const redemptionChecks = (): Check[] => [
  checkExists('each redemption has its event', redemptions, recordings, 'no event tells of it'),
  checkExists('each event of a redemption has its row', recordings, redemptions, 'there is no row'),
  checkExists('each rollback has its event', rollbacks, rollbackEvents, 'no event tells of it'),
  checkExists('each event of a rollback has its row', rollbackEvents, rollbacks, 'there is no row'),
];
