import { isRefused } from '@scrip/kernel';
import { touchedRows } from '@scrip/testing';
import type { CampaignsFixture } from '../campaigns.fixture';
import { bootCampaigns, coupons, project } from '../campaigns.fixture';
import { type HolderListQuery, holderListStatements } from '../holder/holders-of-code.query';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});

afterAll(() => fixture.running.close());

let codes = 0;

/** A referral code that is published. */
const referralCode = async (): Promise<{ code: string; id: string }> => {
  const code = `FRIEND-${(codes += 1)}`;
  const program = coupons(`Friends ${codes}`, { campaign_type: 'REFERRAL_PROGRAM', vouchers_count: 0 });
  const { body: campaign } = await fixture.call('POST', '/v1/campaigns', program);
  await fixture.call('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  const { status, body } = await fixture.call('POST', '/v1/publications', {
    voucher: code,
    customer: { source_id: `referrer-of-${code}` },
  });
  expect(status).toBe(200);
  return { code, id: body.voucher.id };
};

const assign = (code: string, ...sources: string[]) =>
  fixture.call('POST', `/v1/referrals/members/${code}/holders`, {
    holders: sources.map((source_id) => ({ source_id })),
  });

const refereesOf = async (voucherId: string): Promise<string[]> => {
  const rows = await fixture.database.query(
    `SELECT customer_id FROM holders WHERE voucher_id = $1 AND role = 'REFEREE' ORDER BY customer_id`,
    [voucherId],
  );
  return rows.map(({ customer_id }: { customer_id: string }) => customer_id);
};

/** How often the log tells that a code's holders changed. */
const told = async (voucherId: string, type: string): Promise<number> => {
  const [{ count }] = await fixture.database.query(
    `SELECT count(*)::int AS count FROM events
     WHERE type = $2 AND (data::jsonb)->'holder'->>'voucher_id' = $1 AND (data::jsonb)->'holder'->>'role' = 'REFEREE'`,
    [voucherId, type],
  );
  return count as number;
};

const tally = (answers: readonly { status: number; body: any }[]): Record<string, number> =>
  answers.reduce<Record<string, number>>((counts, { status, body }) => {
    const name = status < 300 ? 'done' : (body.key as string);
    return { ...counts, [name]: (counts[name] ?? 0) + 1 };
  }, {});

describe('50 callers at once', () => {
  it('make one customer a referee of a code once', async () => {
    const { code, id } = await referralCode();
    const answers = await Promise.all(Array.from({ length: 50 }, () => assign(code, 'bea')));
    expect(tally(answers)).toEqual({ done: 1, holder_assignement_duplication: 49 });
    expect(await refereesOf(id)).toEqual(['cust_of_bea']);
    expect(await told(id, 'HolderAssigned')).toBe(1);
  });

  it('make as many customers referees of a code', async () => {
    const { code, id } = await referralCode();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => assign(code, `friend-${n}`)));
    expect(tally(answers)).toEqual({ done: 50 });
    expect(await refereesOf(id)).toHaveLength(50);
  });

  it('assign all of their customers or none where each shares one with the others', async () => {
    const { code, id } = await referralCode();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => assign(code, `own-${n}`, 'shared')),
    );
    expect(tally(answers)).toEqual({ done: 1, holder_assignement_duplication: 49 });
    expect(await refereesOf(id)).toHaveLength(2);
  });

  it('take a referee off once', async () => {
    const { code, id } = await referralCode();
    const { body } = await assign(code, 'bea');
    const path = `/v1/referrals/members/${code}/holders/${body.holders[0].id}`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.call('DELETE', path)));
    expect(tally(answers)).toEqual({ done: 1, not_found: 49 });
    expect(await refereesOf(id)).toEqual([]);
    expect(await told(id, 'HolderUnassigned')).toBe(1);
  });
});

describe('the list of holders', () => {
  const vouchers = 20;
  const customers = 500;

  // As many holders as the planner needs to tell the indexes apart: each customer holds each of the vouchers.
  beforeAll(() =>
    fixture.database.query(`
      INSERT INTO holders (project_id, id, voucher_id, customer_id, role, publication_id, voucher_type, created_at)
        SELECT '${project.id}', 'rh_' || lpad(n::text, 5, '0'), 'v_' || n % ${vouchers}, 'cust_' || n / ${vouchers},
          'REFEREE', 'pub_1', 'DISCOUNT_VOUCHER', '2026-01-01'::timestamptz + n * interval '1 minute'
        FROM generate_series(0, ${vouchers * customers - 1}) n;
      ANALYZE holders`),
  );

  test.each<[string, Partial<HolderListQuery>, string]>([
    ['by id', {}, 'holders_listed'],
    ['behind an id, oldest first', { order: 'id', starting_after_id: 'rh_00100' }, 'holders_listed'],
    [
      'of this month',
      { filters: { junction: 'and', fields: { created_at: { $this_month: [] } } } },
      'holders_listed',
    ],
    [
      'of a customer',
      { filters: { junction: 'and', fields: { customer_id: { $is: ['cust_250'] } } } },
      'holders_voucher',
    ],
  ])('reads an index, and no more than it shows: %s', async (_, query, index) => {
    const of = { projectId: project.id, voucherId: 'v_1' };
    const asked = { order: '-id', limit: 10, ...query } as HolderListQuery;
    const statements = holderListStatements(of, asked, { today: '2026-01-31', zone: 'UTC' });
    if (isRefused(statements)) throw new Error('refused');
    const { scans, rows } = await touchedRows(fixture.database, statements.page, 'holders');
    expect(scans).toEqual([index]);
    expect(rows).toBeLessThanOrEqual(asked.limit + 1);
  });
});
