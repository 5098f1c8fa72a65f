import { internalContext, newId } from '@scrip/kernel';
import { createDatabase, projectOf, waitUntil } from '@scrip/testing';
import type { QueryRunner } from 'typeorm';
import type { ObjectClaim } from './claim-state';
import { ClaimTable } from './claim.table';
import { type CreditsOwner, startCreditsOwner } from './testing';

const project = projectOf();
const context = () => internalContext(project);

let owner: CreditsOwner;
let table: ClaimTable;
let writer: QueryRunner;

beforeAll(async () => {
  owner = await startCreditsOwner(await createDatabase('claim_table'));
  table = new ClaimTable(owner.dataSource, owner.table);
  writer = owner.dataSource.createQueryRunner();
});

afterAll(async () => {
  await writer.release();
  await owner.stop();
});

/** Three provisional claims on one card, in the order of their ids. */
const threeClaims = async (): Promise<[ObjectClaim, ObjectClaim, ObjectClaim]> => {
  const object_id = await owner.issue(300);
  const claims = ['clm_1', 'clm_2', 'clm_3'].map((claim_id) => ({
    object_id,
    claim_id,
    redemption_id: newId('r_'),
  }));
  for (const { redemption_id, claim_id } of claims) {
    const asked = [{ claim_id, object_id, asks: { credits: 100 } }];
    await owner.claims.claim(context(), { redemption_id, claims: asked, at_refusal: 'STOP' });
  }
  return claims as [ObjectClaim, ObjectClaim, ObjectClaim];
};

const statesOf = async ([{ object_id }, ...claims]: [ObjectClaim, ...ObjectClaim[]]) => {
  const found = await table.find(project.id, object_id, ['clm_1', ...claims.map(({ claim_id }) => claim_id)]);
  return [...found.values()].map(({ claim_id, state }) => `${claim_id} ${state}`).sort();
};

const lock = ({ object_id, claim_id }: ObjectClaim) =>
  writer.query(`SELECT 1 FROM ${owner.table} WHERE object_id = $1 AND claim_id = $2 FOR UPDATE`, [
    object_id,
    claim_id,
  ]);

const somebodyWaits = () =>
  waitUntil(
    async () => {
      const waiting = await owner.dataSource.query<object[]>(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    },
    { what: 'the confirmation to wait for a lock' },
  );

test('a confirmation never waits in a circle with a writer that locks claims backwards', async () => {
  const claims = await threeClaims();
  await writer.startTransaction();
  await lock(claims[2]);
  const confirming = table.confirm(project.id, claims);
  await somebodyWaits();
  await lock(claims[0]);
  await writer.commitTransaction();
  expect(await confirming).toEqual([]);
  expect(await statesOf(claims)).toEqual(['clm_1 CONFIRMED', 'clm_2 CONFIRMED', 'clm_3 CONFIRMED']);
});

test('a confirmation that comes again waits for nobody', async () => {
  const claims = await threeClaims();
  await table.confirm(project.id, claims);
  await writer.startTransaction();
  await lock(claims[1]);
  expect(await table.confirm(project.id, claims)).toEqual([]);
  await writer.commitTransaction();
});

test('a claim that is reverted while its confirmation waits is lost', async () => {
  const claims = await threeClaims();
  await writer.startTransaction();
  await lock(claims[0]);
  const confirming = table.confirm(project.id, claims);
  await somebodyWaits();
  await writer.query(`UPDATE ${owner.table} SET state = 'REVERTED' WHERE object_id = $1 AND claim_id = $2`, [
    claims[0].object_id,
    claims[0].claim_id,
  ]);
  await writer.commitTransaction();
  expect(await confirming).toEqual([{ ...claims[0], state: 'REVERTED' }]);
  expect(await statesOf(claims)).toEqual(['clm_1 REVERTED', 'clm_2 CONFIRMED', 'clm_3 CONFIRMED']);
});
