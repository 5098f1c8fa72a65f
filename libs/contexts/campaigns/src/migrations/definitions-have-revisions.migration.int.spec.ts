import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import { DefinitionsHaveRevisions1801200000001 } from './definitions-have-revisions.migration';
import { UsedVouchersNameTheirRevision1801200000011 } from './used-vouchers-name-their-revision.migration';

const inherited = {
  start_date: null,
  expiration_date: '2027-01-01T00:00:00.000Z',
  category_id: null,
  category: null,
  categories: [],
  metadata: { tier: 'gold' },
};
const campaign = {
  ...inherited,
  use_voucher_metadata_schema: true,
  voucher: { redemption: { quantity: 3 } },
};
const template = {
  ...inherited,
  campaign_id: 'camp_1',
  discount: { type: 'PERCENT', percent_off: 10 },
  redemption: { quantity: 3, redeemed_quantity: 0 },
};

describe('definitions that were stored before they had revisions', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('revisions') });
    await database.initialize();
  });
  afterAll(() => database?.destroy());

  it('become the first one, which used vouchers name; what their campaign does not say is their own', async () => {
    const runner = database.createQueryRunner();
    const [revisions, names] = [
      new DefinitionsHaveRevisions1801200000001(),
      new UsedVouchersNameTheirRevision1801200000011(),
    ];
    for (const Earlier of campaignsContext.migrations) {
      if (Earlier.name === revisions.name) break;
      await new Earlier().up(runner);
    }
    await runner.query(
      `INSERT INTO campaigns (project_id, id, version, epoch, last_ord, state, name, campaign_type, type, is_referral_code,
         creation_status, active, created_at)
       VALUES ('p', 'camp_1', 1, 1, '1'::xid8, $1, 'One', 'DISCOUNT_COUPONS', 'STATIC', false, 'DONE', true, now())`,
      [{ campaign }],
    );
    const define = (id: string, document: object) =>
      runner.query(`INSERT INTO voucher_definitions VALUES ('p', $1, $2)`, [id, document]);
    await define('vd_same', template);
    await define('vd_own', {
      ...template,
      expiration_date: null,
      redemption: { quantity: 1, redeemed_quantity: 0 },
    });
    const insert = (id: string, definition: string | null, voucher: object | null) =>
      runner.query(
        `INSERT INTO vouchers (project_id, id, version, epoch, last_ord, state, code, code_key, definition_id, created_at)
         VALUES ('p', $1, 1, 1, '1'::xid8, $2, $1, $1, $3, now())`,
        [id, voucher && { voucher }, definition],
      );
    await insert('made', 'vd_same', null);
    await insert('single', null, template);
    await insert('used', 'vd_own', { redemption: { quantity: 1, redeemed_quantity: 1 } });

    await revisions.up(runner);
    await names.up(runner);
    await names.up(runner);
    expect(
      await runner.query(
        'SELECT id, revision, newest, parted, own_fields FROM voucher_definitions ORDER BY id',
      ),
    ).toEqual([
      {
        id: 'vd_own',
        revision: 1,
        newest: true,
        parted: false,
        own_fields: ['expiration_date', 'redemption'],
      },
      { id: 'vd_same', revision: 1, newest: true, parted: false, own_fields: [] },
    ]);
    expect(await runner.query('SELECT id, definition_revision FROM vouchers ORDER BY id')).toEqual([
      { id: 'made', definition_revision: null },
      { id: 'single', definition_revision: null },
      { id: 'used', definition_revision: 1 },
    ]);
    await revisions.down(runner);
    await revisions.up(runner);
    await runner.release();
  });
});
