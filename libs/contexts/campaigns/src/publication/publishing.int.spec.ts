import { newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { bootCampaigns, caller, coupons, type CampaignsFixture } from '../campaigns.fixture';
import {
  type Publishing,
  PublishingTransaction,
  type Supply,
  type Tried,
  type Try,
} from './publishing-transaction';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});

afterAll(() => fixture.running.close());

let campaigns = 0;

/** A campaign with `count` codes, which exist when it returns. */
const campaignOf = async (count: number, fields: Record<string, unknown> = {}) => {
  const name = `Campaign ${(campaigns += 1)}`;
  const created = await fixture.call(
    'POST',
    '/v1/campaigns',
    coupons(name, { vouchers_count: count, ...fields }),
  );
  expect(created.status).toBe(200);
  const { id } = created.body;
  await generated(id);
  return { id, name } as { id: string; name: string };
};

const generated = async (id: string): Promise<void> => {
  for (;;) {
    const { body } = await fixture.call('GET', `/v1/campaigns/${id}`);
    if (body.creation_status === 'DONE') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const publish = (body: object, query = '') => fixture.call('POST', `/v1/publications${query}`, body);

const to = (source_id: string) => ({ customer: { source_id } });

const codesIn = (answers: readonly { status: number; body: any }[]): string[] =>
  answers.filter(({ status }) => status === 200).flatMap(({ body }) => body.vouchers ?? body.voucher.code);

/** Runs `work`; returns what the connection sent, round trip by round trip, that inserted the memberships. */
const statementsOf = async <T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> => {
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
    return { result, statements: texts.slice(begins, texts.indexOf('COMMIT', joins) + 1) };
  } finally {
    spy.mockRestore();
  }
};

describe('publications of one campaign at once', () => {
  it('give the last 50 codes to 50 of 100 callers, one to each', async () => {
    const { name } = await campaignOf(50);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => publish({ campaign: name, ...to(`racer-${n}`) })),
    );
    expect(new Set(codesIn(answers)).size).toBe(50);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.key)).toEqual(
      Array.from({ length: 50 }, () => 'no_voucher_suitable_for_publication'),
    );
  });

  it('give several codes to each caller or none', async () => {
    const { id, name } = await campaignOf(20);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => publish({ campaign: { name, count: 3 }, ...to(`several-${n}`) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(new Set(codesIn(answers)).size).toBe(18);
    const [{ count }] = await fixture.database.query(
      'SELECT count(*)::int AS count FROM vouchers WHERE campaign_id = $1 AND publishable',
      [id],
    );
    expect(count).toBe(2);
  });

  it('wait for the last code while another holds it, and get it when it is given back', async () => {
    const { id, name } = await campaignOf(1);
    const holder = fixture.database.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query('SELECT id FROM vouchers WHERE campaign_id = $1 FOR NO KEY UPDATE', [id]);
      const answer = publish({ campaign: name, ...to('patient') });
      await waitUntil(
        async () => {
          const waiting = await fixture.database.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length > 0;
        },
        { what: 'a publication that waits for the code' },
      );
      await holder.rollbackTransaction();
      expect(await answer).toMatchObject({ status: 200, body: { voucher: { campaign_id: id } } });
    } finally {
      await holder.release();
    }
  });

  it('make the missing codes of an AUTO_UPDATE campaign', async () => {
    const { id, name } = await campaignOf(5, { type: 'AUTO_UPDATE' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => publish({ campaign: name, ...to(`made-${n}`) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(new Set(codesIn(answers)).size).toBe(30);
    const { body } = await fixture.call('GET', `/v1/campaigns/${id}`);
    expect(body.vouchers_count).toBe(30);
  });

  it('assign a named code to one of all callers', async () => {
    const { id } = await campaignOf(1);
    const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${id}`);
    const { code: voucher, id: voucherId } = body.vouchers[0];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => publish({ voucher, ...to(`named-${n}`) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body: { key, details } }) => `${key}: ${details}`))).toEqual(
      new Set([`voucher_already_published: Voucher '${voucherId}' has already been published`]),
    );
  });
});

describe('a customer of a campaign that is joined once', () => {
  it('gets one code by 50 calls at once', async () => {
    const { id, name } = await campaignOf(60, { join_once: true });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => publish({ campaign: name, ...to('joiner') })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(codesIn(answers)).size).toBe(1);
    const [{ count }] = await fixture.database.query(
      'SELECT count(*)::int AS count FROM vouchers WHERE campaign_id = $1 AND NOT publishable',
      [id],
    );
    expect(count).toBe(1);
  });

  it('gets one code by 20 calls with join_once=true', async () => {
    const { name } = await campaignOf(30);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => publish({ campaign: name, ...to('asker') }, '?join_once=true')),
    );
    expect(new Set(codesIn(answers)).size).toBe(1);
  });
});

describe('calls with one source id', () => {
  it('publish one code, and answer the same publication', async () => {
    const { name } = await campaignOf(30);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => publish({ campaign: name, source_id: 'order-17', ...to('ada') })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });
});

/** A try as the handlers make it, in the campaign as it stands. */
const tryIn = async (
  campaignId: string,
  customer_id: string,
  {
    count = 1,
    supply = {},
    ...fields
  }: Partial<Publishing> & { count?: number; supply?: Partial<Supply> } = {},
): Promise<Try> => {
  const [{ state }] = await fixture.database.query('SELECT state FROM campaigns WHERE id = $1', [campaignId]);
  const publishing: Publishing = {
    id: newId('pub_'),
    customer_id,
    request: {
      source: { campaign: campaignId, count },
      customer: { id: customer_id },
      source_id: null,
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

const run = (...tries: Try[]) => fixture.get(PublishingTransaction).run(tries);

/** The publications among what tries came to. */
const publishedOf = (tried: readonly Tried[]) =>
  tried.filter((one): one is Extract<Tried, { published: object }> => 'published' in one);

const membersOf = async (campaignId: string): Promise<string[]> =>
  (
    await fixture.database.query(
      'SELECT customer_id FROM campaign_members WHERE campaign_id = $1 ORDER BY customer_id',
      [campaignId],
    )
  ).map((row: { customer_id: string }) => row.customer_id);

describe('publications of several processes', () => {
  it('get different codes, and none fails because of another', async () => {
    const { id } = await campaignOf(16);
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => tryIn(id, `cust_process_${n}`)));
    const tried = (await Promise.all(tries.map((one) => run(one)))).flat();
    expect(new Set(publishedOf(tried).map(({ vouchers }) => vouchers[0]!.code)).size).toBe(8);
  });

  it('let a customer join once, whichever is first', async () => {
    const { id } = await campaignOf(4);
    const tries = await Promise.all([1, 2, 3].map(() => tryIn(id, 'cust_joiner', { joinOnce: true })));
    const tried = (await Promise.all(tries.map((one) => run(one)))).flat();
    const [only, ...others] = publishedOf(tried);
    expect(others).toEqual([]);
    const earlier = { earlier: only!.published.id };
    expect(tried.filter((one) => one !== only)).toEqual([earlier, earlier]);
  });
});

describe('publications that share a transaction', () => {
  it('get a code each, in five round trips together', async () => {
    const { id } = await campaignOf(8);
    await run(await tryIn(id, 'cust_first'));
    const tries = await Promise.all(
      ['cust_a', 'cust_b', 'cust_c', 'cust_d'].map((customer) => tryIn(id, customer)),
    );
    const { result, statements } = await statementsOf(() => run(...tries));
    expect(new Set(publishedOf(result).map(({ vouchers }) => vouchers[0]!.code)).size).toBe(4);
    expect(statements).toEqual([
      'START TRANSACTION',
      expect.stringContaining('INSERT INTO campaign_members'),
      expect.stringContaining('SKIP LOCKED'),
      expect.stringMatching(/UPDATE vouchers[^]*INSERT INTO publications[^]*INSERT INTO holders/),
      'COMMIT',
    ]);
  });

  it('leave nothing of the one that finds too few codes, nor of the one whose customer joined before', async () => {
    const { id } = await campaignOf(2);
    const [first] = await run(await tryIn(id, 'cust_a'));
    const tries = await Promise.all([
      tryIn(id, 'cust_a', { joinOnce: true }),
      tryIn(id, 'cust_b', { count: 2 }),
      tryIn(id, 'cust_c'),
    ]);
    expect(await run(...tries)).toEqual([
      { earlier: publishedOf([first!])[0]!.published.id },
      { short: 1 },
      expect.objectContaining({ published: expect.objectContaining({ customer_id: 'cust_c' }) }),
    ]);
    expect(await membersOf(id)).toEqual(['cust_a', 'cust_c']);
  });

  it('write nothing at all where the source id of one is taken', async () => {
    const { id } = await campaignOf(3);
    const sourced = async (customer: string) => {
      const one = await tryIn(id, customer);
      return {
        ...one,
        publishing: { ...one.publishing, request: { ...one.publishing.request, source_id: id } },
      };
    };
    await run(await sourced('cust_a'));
    await expect(run(await sourced('cust_b'), await tryIn(id, 'cust_c'))).rejects.toMatchObject({
      constraint: 'publications_source_id',
    });
    expect(await membersOf(id)).toEqual(['cust_a']);
  });
});

describe('a publication whose campaign changes after the call read it', () => {
  const week = 7 * 24 * 60 * 60 * 1000;

  it.each([
    ['of a code that is free', 1, []],
    ['of a code that is made for it', 0, [{ code: 'MADE-LATE', key: 'MADE-LATE' }]],
  ] as const)('%s lasts as long as the campaign says now', async (_, count, codes) => {
    const { id } = await campaignOf(count, { type: 'AUTO_UPDATE' });
    const late = await tryIn(id, newId('cust_'), { supply: { codes } });
    const changed = { activity_duration_after_publishing: 'P7D' };
    expect((await fixture.call('PUT', `/v1/campaigns/${id}`, changed)).status).toBe(200);
    const [tried] = await run(late);
    expect(tried).toMatchObject({
      vouchers: [{ expiration_date: new Date(late.publishing.now.getTime() + week).toISOString() }],
    });
  });
});
