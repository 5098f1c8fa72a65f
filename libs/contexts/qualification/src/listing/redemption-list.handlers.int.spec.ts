import { readInput } from '@scrip/edge';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, project, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { SettlementPusher } from '../settlement/settlement';
import { randomIds } from '@scrip/kernel';
import { RedemptionListHandlers } from './redemption-list.handlers';
import { ListRedemptionsQuery, VoucherRedemptionsQuery } from './redemption-list.query';
import type { VoucherRedemptionsResponse } from './voucher-redemptions.wire';

let fixture: QualificationFixture;
let ids: { first: string; failed: string; second: string; rollback: string };

interface Page {
  total: number;
  redemptions: { id: string; customer_id?: string | null }[];
}

const list = async (query: object = {}, context = call()): Promise<Page> =>
  (await fixture
    .get(RedemptionListHandlers)
    .list(context, readInput(ListRedemptionsQuery, query, 'query'))) as Page;

const idsOf = ({ redemptions }: Page) => redemptions.map(({ id }) => id);

const redeem = async (code: string, source_id: string): Promise<string> => {
  const answer = (await fixture.get(RedeemHandlers).redeem(call(), {
    redeemables: [{ object: 'voucher', id: code }],
    customer: { source_id },
  })) as { redemptions?: { id: string }[]; resourceId?: string };
  await fixture.get(SettlementPusher).drained();
  return answer.redemptions?.[0]?.id ?? answer.resourceId!;
};

beforeAll(async () => {
  fixture = await startQualification('list');
  fixture.campaigns.add(
    redeemable('SPRING', { discount: amount(1), campaign: 'Spring', campaign_id: 'camp_1' }),
    redeemable('OTHER', { active: false }),
  );
  const at = (minute: number) => fixture.clock.moveTo(`2026-06-15T10:0${minute}:00.000Z`);
  at(0);
  const first = await redeem('SPRING', 'alice');
  at(1);
  const failed = await redeem('OTHER', 'alice');
  at(2);
  const second = await redeem('SPRING', 'bob');
  at(3);
  const { id: rollback } = (await fixture.get(RollbackHandlers).rollBack(call(), first, {}, randomIds)) as {
    id: string;
  };
  ids = { first, failed, second, rollback };
});

afterAll(() => fixture.stop());

it('lists the entries of one voucher, by its code and by its id, with its uses', async () => {
  const of = (code: string, query: object = {}) =>
    fixture
      .get(RedemptionListHandlers)
      .ofVoucher(call(), code, readInput(VoucherRedemptionsQuery, query, 'query'));
  const page = (await of('SPRING')) as VoucherRedemptionsResponse;
  expect(page).toMatchObject({
    object: 'list',
    data_ref: 'redemption_entries',
    url: '/v1/vouchers/SPRING/redemptions?page=1&limit=10',
    total: 3,
    redemption_entries: [{ id: ids.rollback }, { id: ids.second }, { id: ids.first }],
  });
  const [newest] = page.redemption_entries;
  expect(await of('SPRING', { limit: '1' })).toMatchObject({
    total: 3,
    redemption_entries: [{ id: newest!.id }],
  });
  expect(((await of('OTHER')) as VoucherRedemptionsResponse).total).toBe(1);
  expect(await of('NOTHING')).toMatchObject({
    refused: 'not_found',
    resourceType: 'voucher',
    resourceId: 'NOTHING',
  });
});

it('lists redemptions, failures and rollbacks, newest first', async () => {
  const page = await list();
  expect(page).toMatchObject({ object: 'list', data_ref: 'redemptions', total: 4 });
  expect(idsOf(page)).toEqual([ids.rollback, ids.second, ids.failed, ids.first]);
  expect(page.redemptions[1]).toMatchObject({
    customer: { source_id: 'bob' },
    voucher: { id: 'v_spring', code: 'SPRING', campaign: 'Spring', campaign_id: 'camp_1' },
  });
});

it.each(['tracking_id', '-tracking_id'])(
  'puts entries of one customer together in the order %s',
  async (order) => {
    const { redemptions } = await list({ order });
    const customers = redemptions.map(({ customer_id }) => customer_id!);
    const sorted = [...customers].sort();
    expect(customers).toEqual(order === 'tracking_id' ? sorted : sorted.reverse());
    expect([customers.length, new Set(customers).size]).toEqual([4, 2]);
  },
);

it('pages without repeating or skipping', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list({ limit: '2', page: String(page) })));
  expect(pages.map(idsOf)).toEqual([[ids.rollback, ids.second], [ids.failed, ids.first], []]);
  expect(pages.map(({ total }) => total)).toEqual([4, 4, 4]);
});

it.each<[string, object, () => string[]]>([
  ['one result', { result: 'FAILURE' }, () => [ids.failed]],
  [
    'both results',
    { result: ['FAILURE', 'SUCCESS'] },
    () => [ids.rollback, ids.second, ids.failed, ids.first],
  ],
  ['a campaign', { campaign: 'Spring' }, () => [ids.rollback, ids.second, ids.first]],
  ['a customer by source id', { customer: 'bob' }, () => [ids.second]],
  ['nobody', { customer: 'nobody' }, () => []],
  ['after a time', { created_at: { after: '2026-06-15T10:01:00.000Z' } }, () => [ids.rollback, ids.second]],
  ['before a time', { created_at: { before: '2026-06-15T10:01:00Z' } }, () => [ids.first]],
  ['the oldest first', { order: 'created_at' }, () => [ids.first, ids.failed, ids.second, ids.rollback]],
  ['a voucher', { filters: { voucher_code: { conditions: { $is: 'OTHER' } } } }, () => [ids.failed]],
  [
    'part of a voucher',
    { filters: { voucher_code: { conditions: { $contains: 'RIN' } } } },
    () => [ids.rollback, ids.second, ids.first],
  ],
  [
    'a pattern character as it is',
    { filters: { voucher_code: { conditions: { $contains: '%' } } } },
    () => [],
  ],
  [
    'not a voucher',
    { filters: { voucher_code: { conditions: { $not_in: ['SPRING'] } } } },
    () => [ids.failed],
  ],
  [
    'an unknown failure',
    { filters: { failure_code: { conditions: { $is_unknown: 'true' } } } },
    () => [ids.rollback, ids.second, ids.first],
  ],
  [
    'rollbacks',
    { filters: { object: { conditions: { $is: 'redemption_rollback' } } } },
    () => [ids.rollback],
  ],
  [
    'either',
    {
      filters: {
        junction: 'or',
        object: { conditions: { $is: 'redemption_rollback' } },
        result: { conditions: { $is: 'FAILURE' } },
      },
    },
    () => [ids.rollback, ids.failed],
  ],
])('lists %s', async (_, query, expected) => {
  const page = await list(query);
  expect([idsOf(page), page.total]).toEqual([expected(), expected().length]);
});

it('keeps projects apart', async () => {
  const elsewhere = call({ project: { ...project, id: 'proj_2' } });
  expect(await list({}, elsewhere)).toMatchObject({ total: 0, redemptions: [] });
  expect(await fixture.get(RedemptionListHandlers).read(elsewhere, ids.first)).toMatchObject({
    refused: 'not_found',
  });
});

it('refuses results, filters and pages that do not exist', async () => {
  expect(await list({ result: 'MAYBE' })).toMatchObject({ refused: 'invalid_query_params' });
  await expect(list({ page: '100' })).rejects.toMatchObject({ failure: { key: 'page_over_limit' } });
  await expect(list({ filters: { nothing: { conditions: { $is: 'x' } } } })).rejects.toMatchObject({
    failure: { key: 'invalid_query_params' },
  });
});

it.each(['first', 'failed', 'second', 'rollback'] as const)('reads %s by its id', async (kind) => {
  expect(await fixture.get(RedemptionListHandlers).read(call(), ids[kind])).toMatchObject({ id: ids[kind] });
});
