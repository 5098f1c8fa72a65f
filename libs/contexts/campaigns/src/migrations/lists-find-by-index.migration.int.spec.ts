import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { ListsFindByIndex1796000000002 } from './lists-find-by-index.migration';

const shared = {
  category: 'Shop',
  category_id: 'cat_1',
  holder_id: null,
  is_referral_code: false,
  active: true,
  start_date: null,
  expiration_date: '2027-01-01T00:00:00.000Z',
  validity_day_of_week: null,
  metadata: { tier: 'gold' },
};
const used = { quantity: 3, redeemed_quantity: 1 };

describe('vouchers and campaigns that were stored before lists had columns', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('lists_by_index') });
    await database.initialize();
  });
  afterAll(() => database?.destroy());

  it('get what lists filter by, vouchers only where their definition says something else', async () => {
    const runner = database.createQueryRunner();
    const migration = new ListsFindByIndex1796000000002();
    for (const Earlier of campaignsContext.migrations) {
      if (Earlier.name === migration.name) break;
      await new Earlier().up(runner);
    }
    await runner.query(`INSERT INTO voucher_definitions VALUES ('p', 'vd_1', $1)`, [
      { ...shared, redemption: { ...used, redeemed_quantity: 0 } },
    ]);
    const insert = (id: string, definition: string | null, voucher: object | null) =>
      runner.query(
        `INSERT INTO vouchers (project_id, id, version, epoch, last_ord, state, code, code_key, definition_id, created_at)
         VALUES ('p', $1, 1, 1, '1'::xid8, $2, $1, $1, $3, now())`,
        [id, voucher && { voucher, code_key: id }, definition],
      );
    await insert('made', 'vd_1', null);
    await insert('used', 'vd_1', { redemption: used });
    await insert('whole', 'vd_1', { ...shared, redemption: used });
    await insert('differs', 'vd_1', { metadata: {}, start_date: '2026-01-01T00:00:00.000Z' });
    await insert('single', null, { ...shared, redemption: used });
    await runner.query(
      `INSERT INTO campaigns (project_id, id, version, epoch, last_ord, state, name, campaign_type, type, is_referral_code,
         creation_status, active, created_at)
       VALUES ('p', 'camp_1', 1, 1, '1'::xid8, $1, 'One', 'DISCOUNT_COUPONS', 'STATIC', false, 'DONE', true, now())`,
      [{ campaign: { metadata: { tier: 'gold' }, vouchers_generation_status: 'FAILED' } }],
    );

    await migration.up(runner);
    const own = { ...shared, redemption: { quantity: 3 } };
    const until = new Date(shared.expiration_date);
    const none = { filterable: null, start_date: null, expiration_date: null };
    const found = 'SELECT id, filterable, start_date, expiration_date FROM vouchers ORDER BY id';
    expect(await runner.query(found)).toEqual([
      {
        id: 'differs',
        filterable: { ...own, metadata: {}, start_date: '2026-01-01T00:00:00.000Z' },
        start_date: new Date('2026-01-01T00:00:00Z'),
        expiration_date: until,
      },
      { id: 'made', ...none },
      { id: 'single', filterable: own, start_date: null, expiration_date: until },
      { id: 'used', ...none },
      { id: 'whole', ...none },
    ]);
    expect(await runner.query('SELECT metadata, vouchers_generation_status FROM campaigns')).toEqual([
      { metadata: { tier: 'gold' }, vouchers_generation_status: 'FAILED' },
    ]);

    await migration.down(runner);
    await migration.up(runner);
    await runner.release();
  });
});
