import { readInput } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { campaignsContext } from '../index';
import {
  CampaignTransactionListQuery,
  TransactionListQuery,
  type TransactionsOf,
  transactionListStatements,
} from './transaction-list.query';

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('transaction_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of campaignsContext.migrations) await new Migration().up(runner);
  // Of ten campaigns, with a hundred cards each.
  await runner.query(`
    INSERT INTO voucher_transactions (project_id, id, type, voucher_id, campaign_id, amount, total, balance, created_at)
      SELECT 'proj_1', 'vtx_' || lpad(n::text, 6, '0'), 'CREDITS_ADDITION', 'v_' || n % 1000, 'camp_' || n % 10, 1, 1, 1, now()
      FROM generate_series(1, 20000) n;
    ANALYZE voucher_transactions`);
  await runner.release();
});
afterAll(() => database?.destroy());

const by = (field: string, operator: string, value: string | string[]) => ({
  filters: { [field]: { conditions: { [operator]: value } } },
});
const [ofCampaign, ofCard] = ['voucher_transactions_campaign', 'voucher_transactions_voucher'];

describe('a list of transactions', () => {
  it.each<[string, object, TransactionsOf, string, number]>([
    ['a campaign', {}, { campaign_id: 'camp_7' }, ofCampaign, 11],
    ['a card', {}, { voucher_id: 'v_7' }, ofCard, 11],
    ['a card of a campaign', by('voucher_id', '$is', 'v_7'), { campaign_id: 'camp_7' }, ofCard, 20],
    [
      'some cards of a campaign',
      by('voucher_id', '$in', ['v_7', 'v_17']),
      { campaign_id: 'camp_7' },
      ofCard,
      40,
    ],
  ])('of %s is found by an index, and reads no more than fits', async (_, query, of, index, most) => {
    const Query = 'voucher_id' in of ? TransactionListQuery : CampaignTransactionListQuery;
    const statements = transactionListStatements('proj_1', of, readInput(Query, query, 'query'));
    if (isRefused(statements)) throw new Error(statements.details);
    const page = await touchedRows(database, statements.page, 'voucher_transactions');
    expect([...new Set(page.scans)]).toEqual([index]);
    expect(page.rows).toBeLessThanOrEqual(most);
  });
});
