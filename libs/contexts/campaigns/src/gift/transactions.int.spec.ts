import { touchedRows } from '@scrip/testing';
import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { bootCampaigns, type CampaignsFixture, caller, coupons, project } from '../campaigns.fixture';
import { storeGiftCard } from './gift-card.fixture';
import { TransactionListQuery, transactionListStatements } from './transaction-list.query';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

const adjust = (code: string, body: object) => fixture.call('POST', `/v1/vouchers/${code}/balance`, body);
const transactions = (path: string, query = '') => fixture.call('GET', `/v1/${path}/transactions${query}`);
const amountsIn = ({ body }: { body: { data: { details: { balance: { amount: number } } }[] } }) =>
  body.data.map(({ details }) => details.balance.amount);

/** A campaign whose rows are gift cards: only their transactions are looked at. */
const campaign = async (name: string) => (await fixture.call('POST', '/v1/campaigns', coupons(name))).body.id;

describe('GET /v1/vouchers/{code}/transactions', () => {
  it('shows what changed the balance, newest first', async () => {
    const id = await storeGiftCard(fixture.events, 1_000);
    await adjust(id, { amount: 200, source_id: 'refill-1', reason: 'Birthday' });
    await adjust(id, { amount: -150 });
    const { status, body } = await transactions(`vouchers/${id}`);
    const entry = {
      id: expect.stringMatching(/^vtx_/),
      voucher_id: id,
      campaign_id: null,
      source: 'API',
      related_transaction_id: null,
      created_at: expect.stringMatching(/Z$/),
    };
    const balance = {
      type: 'gift_voucher',
      operation_type: 'MANUAL',
      object: 'balance',
      related_object: { type: 'voucher', id },
    };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: 'list',
        data_ref: 'data',
        total: 2,
        has_more: false,
        data: [
          {
            ...entry,
            type: 'CREDITS_REMOVAL',
            source_id: null,
            reason: null,
            details: { balance: { ...balance, amount: -150, total: 1_050, balance: 1_050 } },
          },
          {
            ...entry,
            type: 'CREDITS_ADDITION',
            source_id: 'refill-1',
            reason: 'Birthday',
            details: { balance: { ...balance, amount: 200, total: 1_200, balance: 1_200 } },
          },
        ],
      },
    });
  });

  it('goes on behind a transaction, in either order', async () => {
    const id = await storeGiftCard(fixture.events, 0);
    for (const amount of [1, 2, 3, 4, 5]) await adjust(id, { amount });
    const walk = async (order: string): Promise<number[]> => {
      const seen: number[] = [];
      for (let after = ''; ;) {
        const page = await transactions(`vouchers/${id}`, `?limit=2&order=${order}${after}`);
        expect(page.body.total).toBe(5);
        seen.push(...amountsIn(page));
        if (!page.body.has_more) {
          expect(page.body).not.toHaveProperty('more_starting_after');
          return seen;
        }
        after = `&starting_after_id=${page.body.more_starting_after}`;
      }
    };
    expect(await walk('-id')).toEqual([5, 4, 3, 2, 1]);
    expect(await walk('id')).toEqual([1, 2, 3, 4, 5]);
  });

  it('finds transactions by id', async () => {
    const id = await storeGiftCard(fixture.events, 0);
    for (const amount of [1, 2, 3]) await adjust(id, { amount });
    const { body } = await transactions(`vouchers/${id}`);
    const wanted = body.data[1].id;
    const found = await transactions(`vouchers/${id}`, `?filters[id][conditions][$is]=${wanted}`);
    expect(found.body).toMatchObject({ total: 1, data: [{ id: wanted }] });
  });

  it.each([
    ['?limit=101', '.limit'],
    ['?order=created_at', '.order'],
    ['?filters[type][conditions][$is]=x', '.filters'],
    ['?filters[voucher_id][conditions][$is]=x', '.filters'],
  ])('refuses %s', async (query, property) => {
    const id = await storeGiftCard(fixture.events, 0);
    expect(await transactions(`vouchers/${id}`, query)).toMatchObject({
      status: 400,
      body: { key: 'invalid_query_params', details: expect.stringContaining(property) },
    });
  });

  it('is empty for a discount voucher, and unknown for an unknown voucher or campaign', async () => {
    const id = await campaign('without balances');
    const { body } = await fixture.call('POST', `/v1/campaigns/${id}/vouchers`, {});
    const none = { object: 'list', data_ref: 'data', data: [], total: 0, has_more: false };
    expect((await transactions(`vouchers/${body.code}`)).body).toEqual(none);
    expect((await transactions(`campaigns/${id}`)).body).toEqual(none);
    expect(await transactions('vouchers/nobody')).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'voucher' },
    });
    expect(await transactions('campaigns/nobody')).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'campaign' },
    });
  });
});

describe('GET /v1/campaigns/{campaignId}/transactions', () => {
  it('shows those of all cards of the campaign, and of no other', async () => {
    const [ours, theirs] = [await campaign('ours'), await campaign('theirs')];
    const cardOf = (campaign_id: string) => storeGiftCard(fixture.events, 0, { campaign_id, campaign: 'x' });
    const [first, second, other] = [await cardOf(ours), await cardOf(ours), await cardOf(theirs)];
    await adjust(first, { amount: 1 });
    await adjust(second, { amount: 2 });
    await adjust(other, { amount: 3 });
    const page = await transactions('campaigns/ours', '?order=id');
    expect(amountsIn(page)).toEqual([1, 2]);
    expect(page.body.data[0]).toMatchObject({ campaign_id: ours, voucher_id: first });
    const ofCard = await transactions('campaigns/ours', `?filters[voucher_id][conditions][$is]=${second}`);
    expect(ofCard.body).toMatchObject({ total: 1, data: [{ voucher_id: second }] });
    const ofOther = await transactions('campaigns/ours', `?filters[voucher_id][conditions][$is]=${other}`);
    expect(ofOther.body).toMatchObject({ total: 0, data: [] });
    const unknown = await transactions('campaigns/ours', '?filters[type][conditions][$is]=x');
    expect(unknown).toMatchObject({ status: 400, body: { key: 'invalid_query_params' } });
  });

  it('reads a page by index, however many transactions there are', async () => {
    await fixture.database.query(
      `INSERT INTO voucher_transactions (project_id, id, type, voucher_id, campaign_id, amount, total, balance, created_at)
       SELECT $1, 'vtx_many' || lpad(n::text, 6, '0'), 'CREDITS_ADDITION', 'v_' || n % 10, 'camp_' || n % 3, 1, n, n, now()
       FROM generate_series(1, 20000) n`,
      [project.id],
    );
    await fixture.database.query('ANALYZE voucher_transactions');
    const query = readInput(
      TransactionListQuery,
      { limit: '10', starting_after_id: 'vtx_many010000' },
      'query',
    );
    for (const listed of [{ voucher_id: 'v_1' }, { campaign_id: 'camp_1' }]) {
      const statements = transactionListStatements(caller().project.id, listed, query);
      if (isRefused(statements)) throw new Error(statements.details);
      const { rows } = await touchedRows(fixture.database, statements.page, 'voucher_transactions');
      expect(rows).toBeLessThanOrEqual(11);
    }
  });
});
