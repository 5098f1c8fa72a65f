import { newId } from '@scrip/kernel';
import { Client } from 'pg';
import { type CampaignsFixture, caller, coupons } from '../campaigns.fixture';
import type { Published, Publishing, Supply, Tried, Try } from './publication-try';

let campaigns = 0;

/** A campaign with `count` codes, which exist when it returns. */
export const campaignWith = async (
  { call }: Pick<CampaignsFixture, 'call'>,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; name: string }> => {
  const name = `Campaign ${(campaigns += 1)}`;
  const created = await call('POST', '/v1/campaigns', coupons(name, { vouchers_count: count, ...fields }));
  expect(created.status).toBe(200);
  const { id } = created.body as { id: string };
  for (;;) {
    const { body } = await call('GET', `/v1/campaigns/${id}`);
    if (body.creation_status === 'DONE') return { id, name };
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Runs `work`; returns the statements of the connection that inserted memberships, in their order. */
export const statementsOf = async <T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: string[] }> => {
  const sent = new Map<Client, string[]>();
  const query = Client.prototype.query as (...given: any[]) => unknown;
  const spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...given: any[]
  ) {
    const text: string = typeof given[0] === 'string' ? given[0] : given[0].text;
    sent.set(this, [...(sent.get(this) ?? []), text]);
    return query.apply(this, given) as never;
  });
  try {
    const result = await work();
    const found = [...sent.values()].find((texts) => texts.some((text) => text.includes('campaign_members')));
    const texts = found ?? [];
    const joins = texts.findIndex((text) => text.includes('campaign_members'));
    const begins = texts.lastIndexOf('START TRANSACTION', joins);
    return {
      result,
      statements:
        begins < 0 ? texts.slice(joins, joins + 1) : texts.slice(begins, texts.indexOf('COMMIT', joins) + 1),
    };
  } finally {
    spy.mockRestore();
  }
};

/** A try as the handlers make it, in the campaign as it stands. */
export const tryIn = async (
  { database }: Pick<CampaignsFixture, 'database'>,
  campaignId: string,
  customer_id: string,
  {
    count = 1,
    supply = {},
    source_id = null,
    ...fields
  }: Partial<Publishing> & { count?: number; supply?: Partial<Supply>; source_id?: string | null } = {},
): Promise<Try> => {
  const [{ state }] = await database.query('SELECT state FROM campaigns WHERE id = $1', [campaignId]);
  const publishing: Publishing = {
    id: newId('pub_'),
    customer_id,
    request: {
      source: { campaign: campaignId, count },
      customer: { id: customer_id },
      source_id,
      channel: 'API',
      metadata: {},
    },
    campaign: state.campaign,
    voucherId: null,
    joinOnce: false,
    now: new Date(),
    ...fields,
  };
  return { context: caller(), publishing, supply: { patient: false, codes: [], ...supply } };
};

/** The publications among what tries came to. */
export const publishedOf = (tried: readonly Tried[]): Published[] =>
  tried.filter((one): one is Published => 'published' in one);

/** The customers who are members of a campaign, in order. */
export const membersOf = async (
  { database }: Pick<CampaignsFixture, 'database'>,
  campaignId: string,
): Promise<string[]> => {
  const rows: { customer_id: string }[] = await database.query(
    'SELECT customer_id FROM campaign_members WHERE campaign_id = $1 ORDER BY customer_id',
    [campaignId],
  );
  return rows.map(({ customer_id }) => customer_id);
};
