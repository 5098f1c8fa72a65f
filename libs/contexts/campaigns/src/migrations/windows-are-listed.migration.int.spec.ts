import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { WindowsAreListed1802300000014 } from './windows-are-listed.migration';

const daily = { interval: 'P1D', duration: 'PT1H' };
const shared = {
  active: true,
  start_date: '2026-01-01T00:00:00.000Z',
  metadata: {},
  redemption: { quantity: 3 },
};

it('vouchers whose windows are others than their definition says say so themselves, and no others', async () => {
  const database = new DataSource({ type: 'postgres', url: await createDatabase('windows_listed') });
  await database.initialize();
  const runner = database.createQueryRunner();
  const migration = new WindowsAreListed1802300000014();
  for (const Earlier of campaignsContext.migrations) {
    if (Earlier.name === migration.name) break;
    await new Earlier().up(runner);
  }
  const define = (id: string, revision: number, newest: boolean, validity_timeframe: object | null) =>
    runner.query(
      `INSERT INTO voucher_definitions (project_id, id, revision, newest, template) VALUES ('p', $1, $2, $3, $4)`,
      [id, revision, newest, { ...shared, validity_timeframe }],
    );
  await define('vd_1', 1, false, daily);
  await define('vd_1', 2, true, null);
  const insert = (
    id: string,
    revision: number | null,
    voucher: object | null,
    filterable: object | null = null,
  ) =>
    runner.query(
      `INSERT INTO vouchers (project_id, id, version, epoch, last_ord, state, filterable, code, code_key, definition_id,
         definition_revision, created_at)
       VALUES ('p', $1, 1, 1, '1'::xid8, $2, $3, $1, $1, $4, $5, now())`,
      [id, voucher && { voucher }, filterable, revision === null ? null : 'vd_1', revision],
    );
  await insert('made', 2, null);
  await insert('used', 2, { redemption: { quantity: 3 } });
  await insert('earlier', 1, { redemption: { quantity: 3 } });
  await insert('own', 2, { validity_timeframe: daily });
  await insert('single', null, { ...shared, validity_timeframe: daily }, shared);
  await insert('without', null, { ...shared, validity_timeframe: null }, shared);
  for (let times = 1; times <= 2; times += 1) await migration.up(runner);
  const rows =
    await runner.query(`SELECT id, filterable->'validity_timeframe' AS timeframe, start_date FROM vouchers
    WHERE filterable IS NOT NULL ORDER BY id`);
  const start_date = new Date(shared.start_date);
  expect(rows).toEqual([
    { id: 'earlier', timeframe: daily, start_date },
    { id: 'own', timeframe: daily, start_date },
    { id: 'single', timeframe: daily, start_date },
    { id: 'without', timeframe: null, start_date: null },
  ]);
  await runner.release();
  await database.destroy();
});
