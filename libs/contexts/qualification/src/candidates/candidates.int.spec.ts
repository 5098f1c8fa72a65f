import type { StoredEvent } from '@scrip/event-store';
import type { EventBatch } from '@scrip/messaging';
import { touchedRows } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { RuleHandlers } from '../rule/rule.handlers';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import { startQualification, type QualificationFixture } from '../qualification.fixture';
import { type CandidateFilters, passes } from './candidate-filters';
import { call, campaignOf, project, promotionOf, tierOf, voucherOf } from '../redeemables.fixture';
import { CandidatesProjection } from './candidates.projection';
import {
  askedStatement,
  CandidateReads,
  candidatesStatement,
  type CandidatesWanted,
} from './candidates.reads';

let fixture: QualificationFixture;
let database: DataSource;

beforeAll(async () => {
  fixture = await startQualification('candidates');
  database = fixture.dataSource;
});
afterAll(() => fixture?.stop());

const now = new Date('2026-06-15T10:00:00.000Z');

const event = (aggregate: string, type: string, id: string, data: object): StoredEvent =>
  ({ projectId: project.id, streamId: id, aggregate, type, data }) as StoredEvent;
const hear = (...events: StoredEvent[]): Promise<void> =>
  fixture.get(CandidatesProjection).changed({
    events,
    commit: (work) => database.transaction(work),
  } as Partial<EventBatch> as EventBatch);
const wanted = (more: Partial<CandidatesWanted> = {}): CandidatesWanted => ({
  ...{ space: 'QUALIFY', terms: ['*'], kinds: ['campaign', 'voucher', 'promotion_tier'] },
  ...{ anyCollection: false, filters: {}, after: null, now, limit: 100 },
  ...more,
});
const found = async (more: Partial<CandidatesWanted> = {}): Promise<string[]> =>
  (await fixture.get(CandidateReads).find(call(), wanted(more))).map(({ id }) => id);

const created = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const voucher = (code: string, more: object = {}) => voucherOf(code, { created_at: created(2), ...more });
const voucherCreated = (code: string, more: object = {}, campaign: object | null = null) =>
  event('voucher', 'VoucherCreated', `v_${code.toLowerCase()}`, { voucher: voucher(code, more), campaign });

const ruleOf = async (id: string, segment: string): Promise<void> => {
  const rules = { 1: { name: 'customer.segment', conditions: { $is: [segment] } }, logic: '1' };
  await fixture.get(RuleHandlers).create(call(), id, { name: id, rules });
};
const assign = async (rule_id: string, type: 'campaign' | 'voucher' | 'promotion_tier', id: string) => {
  const assignment = {
    id: `asgm_${rule_id}_${id}`,
    rule_id,
    related_object_type: type,
    related_object_id: id,
  };
  await fixture.get(AssignmentHandlers).assign(call(), { ...assignment, campaign_id: null });
  return event('rule', 'ValidationRuleAssigned', rule_id, { assignment });
};

describe('the index of candidates (02 §10)', () => {
  beforeEach(() => database.query('TRUNCATE candidates, candidate_terms'));

  it('has campaigns of codes, generic vouchers and tiers, the newest first', async () => {
    const promotion = promotionOf();
    const standalone = campaignOf({ id: 'camp_alone', type: 'STANDALONE' });
    await hear(
      event('campaign', 'CampaignCreated', 'camp_1', { campaign: campaignOf({ created_at: created(5) }) }),
      event('campaign', 'CampaignCreated', 'camp_alone', { campaign: standalone }),
      event('campaign', 'CampaignCreated', 'camp_promo', { campaign: promotion }),
      voucherCreated('FREE', { created_at: created(4) }),
      voucherCreated('ALONE', { campaign_id: 'camp_alone', created_at: created(3) }, standalone),
      voucherCreated('BULK', { campaign_id: 'camp_1' }, campaignOf()),
      event('tier', 'PromotionTierCreated', 'promo_1', {
        promotion_tier: tierOf('promo_1'),
        campaign: promotion,
      }),
    );
    expect(await found()).toEqual(['camp_1', 'v_free', 'v_alone', 'promo_1']);
    const [second] = await fixture.get(CandidateReads).find(call(), wanted({ limit: 1 }));
    expect(await found({ after: second! })).toEqual(['v_free', 'v_alone', 'promo_1']);
    await hear(
      event('campaign', 'CampaignDisabled', 'camp_promo', { campaign: { ...promotion, active: false } }),
      event('campaign', 'CampaignDeleted', 'camp_alone', { campaign: standalone }),
    );
    expect(await found()).toEqual(['camp_1', 'v_free']);
  });

  it.each<[string, object, StoredEvent[]]>([
    [
      'disabled',
      {},
      [event('voucher', 'VoucherDisabled', 'v_free', { voucher: voucher('FREE', { active: false }) })],
    ],
    [
      'disabled by bulk work, and changed where the index says nothing',
      {},
      [
        event('voucher', 'VoucherFieldsChanged', 'v_free', { fields: { active: false } }),
        event('voucher', 'VoucherFieldsChanged', 'v_free', { fields: { metadata: { shop: 'Rome' } } }),
      ],
    ],
    [
      'used up',
      { redemption: { quantity: 1, redeemed_quantity: 0 } },
      [event('voucher', 'VoucherQuantityConsumed', 'v_free', { redeemed_quantity: 1 })],
    ],
    ['deleted', {}, [event('voucher', 'VoucherDeleted', 'v_free', { voucher: voucher('FREE') })]],
    ['over', { expiration_date: '2026-06-01T00:00:00.000Z' }, []],
    ['not yet valid', { start_date: '2026-07-01T00:00:00.000Z' }, []],
  ])('leaves out a voucher that is %s', async (_, more, events) => {
    await hear(voucherCreated('FREE', more), ...events);
    expect(await found()).toEqual([]);
  });

  it('finds a voucher again that got a use back', async () => {
    await hear(voucherCreated('FREE', { redemption: { quantity: 1, redeemed_quantity: 1 } }));
    expect(await found()).toEqual([]);
    await hear(event('voucher', 'VoucherQuantityRestored', 'v_free', { redeemed_quantity: 0 }));
    expect(await found()).toEqual(['v_free']);
  });

  it('finds by what rules demand when they are heard of: own rules, those of the campaign, and changes of both', async () => {
    await ruleOf('val_a', 'seg_a');
    await ruleOf('val_b', 'seg_b');
    await hear(await assign('val_a', 'promotion_tier', 'promo_1'));
    await hear(event('tier', 'PromotionTierCreated', 'promo_1', { promotion_tier: tierOf('promo_1') }));
    expect([await found(), await found({ terms: ['segment:seg_a'] })]).toEqual([[], ['promo_1']]);
    await hear(event('tier', 'PromotionTierCreated', 'promo_2', { promotion_tier: tierOf('promo_2') }));
    expect(await found()).toEqual(['promo_2']);
    await hear(await assign('val_b', 'campaign', 'camp_promo'));
    expect([await found(), await found({ terms: ['segment:seg_b'] })]).toEqual([[], ['promo_2']]);
    const rules = { 1: { name: 'customer.segment', conditions: { $is_not: ['seg_b'] } }, logic: '1' };
    await fixture.get(RuleHandlers).update(call(), 'val_b', { rules });
    await hear(event('rule', 'ValidationRuleUpdated', 'val_b', { rule: { id: 'val_b' } }));
    expect(await found()).toEqual(['promo_2']);
    expect(await fixture.get(CandidateReads).asked(call(), 'QUALIFY')).toEqual({
      segments: ['seg_a'],
      collections: [],
      moreCollections: false,
    });
  });

  it('has no terms of a rule whose change would write too many rows: those of one object for each that it holds for', async () => {
    const segments = Array.from({ length: 100 }, (_, index) => `seg_of_many_${index}`);
    const rules = { 1: { name: 'customer.segment', conditions: { $is: segments } }, logic: '1' };
    await fixture.get(RuleHandlers).create(call(), 'val_many', { name: 'val_many', rules });
    await ruleOf('val_one', 'seg_alone');
    await hear(await assign('val_many', 'promotion_tier', 'promo_many'));
    await hear(await assign('val_one', 'promotion_tier', 'promo_one'));
    const tiers = ['promo_many', 'promo_one'].map((id) =>
      event('tier', 'PromotionTierCreated', id, { promotion_tier: tierOf(id) }),
    );
    const termsWhere = async (assignments: number) => {
      await database.query('TRUNCATE candidates, candidate_terms');
      await database.query(
        `UPDATE validation_rules SET state = jsonb_set(state, '{assignments}', to_jsonb($1::int))`,
        [assignments],
      );
      await hear(...tiers);
      return [await found(), await found({ terms: ['segment:seg_of_many_7', 'segment:seg_alone'] })];
    };
    expect(await termsWhere(50)).toEqual([[], ['promo_one', 'promo_many']]);
    expect(await termsWhere(1_000)).toEqual([['promo_many'], ['promo_one']]);
    expect(await termsWhere(1_001)).toEqual([['promo_one', 'promo_many'], []]);
  });

  it('filters as loaded candidates are filtered', async () => {
    await hear(
      voucherCreated('FREE', { category_id: 'cat_1' }),
      voucherCreated('OTHER'),
      event('tier', 'PromotionTierCreated', 'promo_9', { promotion_tier: tierOf('promo_9') }),
    );
    const nothing = {
      category_id: null,
      campaign_id: null,
      campaign_type: null,
      voucher_type: null,
      code: null,
      holder_role: null,
    };
    const values = {
      v_free: {
        ...nothing,
        resource_id: 'v_free',
        resource_type: 'voucher',
        category_id: 'cat_1',
        code: 'FREE',
        voucher_type: 'DISCOUNT_VOUCHER',
      },
      v_other: {
        ...nothing,
        resource_id: 'v_other',
        resource_type: 'voucher',
        code: 'OTHER',
        voucher_type: 'DISCOUNT_VOUCHER',
      },
      promo_9: {
        ...nothing,
        resource_id: 'promo_9',
        resource_type: 'promotion_tier',
        campaign_id: 'camp_promo',
        campaign_type: 'PROMOTION',
      },
    };
    const filters: CandidateFilters[] = [
      {},
      { code: { conditions: { $is: ['FREE', 'OTHER'] } } },
      { code: { conditions: { $is_not: ['FREE'] } } },
      { code: { conditions: { $in: ['FREE', 'OTHER'] } }, category_id: { conditions: { $has_value: [] } } },
      {
        category_id: { conditions: { $is_unknown: [] } },
        resource_type: { conditions: { $not_in: ['voucher'] } },
      },
      {
        junction: 'or',
        campaign_type: { conditions: { $is: ['PROMOTION'] } },
        resource_id: { conditions: { $is: ['v_free'] } },
      },
      { holder_role: { conditions: { $is: ['OWNER'] } } },
    ];
    for (const one of filters) {
      const expected = Object.entries(values).flatMap(([id, fields]) => (passes(one, fields) ? [id] : []));
      expect((await found({ filters: one })).sort()).toEqual(expected.sort());
    }
  });

  it('reads no more of 20,000 campaigns than the page that it returns, and never all of a table', async () => {
    await database.query(`
      INSERT INTO candidates (project_id, id, kind, campaign_id, campaign_type, eligible, active, redeemed_quantity, created_at)
        SELECT '${project.id}', 'camp_' || n, 'campaign', 'camp_' || n, 'DISCOUNT_COUPONS', true, true, 0,
          '2026-01-01'::timestamptz + n * interval '1 second' FROM generate_series(1, 20000) n;
      INSERT INTO candidate_terms (project_id, space, term, created_at, id)
        SELECT project_id, 'QUALIFY', CASE WHEN n % 100 = 0 THEN '*' ELSE 'segment:seg_' || n % 50 END, created_at, id
        FROM (SELECT *, row_number() OVER (ORDER BY created_at) n FROM candidates) c`);
    await database.query('ANALYZE candidates, candidate_terms');
    const page = candidatesStatement(
      project.id,
      wanted({ terms: ['*', 'segment:seg_7', 'product:none'], limit: 20 }),
    );
    const asked = { text: askedStatement, values: [project.id, 'QUALIFY'] };
    for (const [statement, table, most] of [
      [page, 'candidates', 120],
      [page, 'candidate_terms', 60],
      [asked, 'candidate_terms', 120],
    ] as const) {
      const { scans, rows } = await touchedRows(database, statement, table);
      expect(scans.every((scan) => scan.endsWith('_pkey'))).toBe(true);
      expect(rows).toBeLessThanOrEqual(most);
    }
  });
});
