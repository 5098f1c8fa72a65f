import { newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { bootCampaigns, type CampaignsFixture } from '../campaigns.fixture';
import type { Try } from './publication-try';
import { campaignWith, membersOf, publishedOf, statementsOf, tryIn } from './publishing.fixture';
import { PublishingTransaction } from './publishing-transaction';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});

afterAll(() => fixture.running.close());

const campaignOf = (count: number, fields?: Record<string, unknown>) => campaignWith(fixture, count, fields);

const publish = (body: object, query = '') => fixture.call('POST', `/v1/publications${query}`, body);

const to = (source_id: string) => ({ customer: { source_id } });

const codesIn = (answers: readonly { status: number; body: any }[]): string[] =>
  answers.filter(({ status }) => status === 200).flatMap(({ body }) => body.vouchers ?? body.voucher.code);

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

  it('that asks for several codes gets the one it joined by, and a customer that has not joined none', async () => {
    const { name } = await campaignOf(3, { join_once: true });
    const several = { campaign: { name, count: 2 } };
    const refused = { status: 400, body: { key: 'too_many_vouchers_requested' } };
    expect(await publish({ ...several, ...to('several at once') })).toMatchObject(refused);
    const first = await publish({ campaign: name, ...to('several at once') });
    expect((await publish({ ...several, ...to('several at once') })).body).toEqual(first.body);
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

const tryOf = (campaignId: string, customer: string, fields?: Parameters<typeof tryIn>[3]) =>
  tryIn(fixture, campaignId, customer, fields);

const run = (...tries: Try[]) => fixture.get(PublishingTransaction).run(tries);

describe('publications of several processes', () => {
  it('get different codes, and none fails because of another', async () => {
    const { id } = await campaignOf(16);
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => tryOf(id, `cust_process_${n}`)));
    const tried = (await Promise.all(tries.map((one) => run(one)))).flat();
    expect(new Set(publishedOf(tried).map(({ vouchers }) => vouchers[0]!.code)).size).toBe(8);
  });

  it('let a customer join once, whichever is first', async () => {
    const { id } = await campaignOf(4);
    const tries = await Promise.all([1, 2, 3].map(() => tryOf(id, 'cust_joiner', { joinOnce: true })));
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
    await run(await tryOf(id, 'cust_first'));
    const tries = await Promise.all(
      ['cust_a', 'cust_b', 'cust_c', 'cust_d'].map((customer) => tryOf(id, customer)),
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
    const [first] = await run(await tryOf(id, 'cust_a'));
    const tries = await Promise.all([
      tryOf(id, 'cust_a', { joinOnce: true }),
      tryOf(id, 'cust_b', { count: 2 }),
      tryOf(id, 'cust_c'),
    ]);
    expect(await run(...tries)).toEqual([
      { earlier: publishedOf([first!])[0]!.published.id },
      { short: 1 },
      expect.objectContaining({ published: expect.objectContaining({ customer_id: 'cust_c' }) }),
    ]);
    expect(await membersOf(fixture, id)).toEqual(['cust_a', 'cust_c']);
  });

  it('write nothing at all where the source id of one is taken', async () => {
    const { id } = await campaignOf(3);
    await run(await tryOf(id, 'cust_a', { source_id: id }));
    await expect(
      run(await tryOf(id, 'cust_b', { source_id: id }), await tryOf(id, 'cust_c')),
    ).rejects.toMatchObject({
      constraint: 'publications_source_id',
    });
    expect(await membersOf(fixture, id)).toEqual(['cust_a']);
  });
});

describe('a publication whose campaign changes after the call read it', () => {
  const week = 7 * 24 * 60 * 60 * 1000;

  it.each([
    ['of a code that is free', 1, []],
    ['of a code that is made for it', 0, [{ code: 'MADE-LATE', key: 'MADE-LATE' }]],
  ] as const)('%s lasts as long as the campaign says now', async (_, count, codes) => {
    const { id } = await campaignOf(count, { type: 'AUTO_UPDATE' });
    const late = await tryOf(id, newId('cust_'), { supply: { codes } });
    // Hours, since seven days last an hour less or more where the clocks change.
    const changed = { activity_duration_after_publishing: 'PT168H' };
    expect((await fixture.call('PUT', `/v1/campaigns/${id}`, changed)).status).toBe(200);
    const [tried] = await run(late);
    expect(tried).toMatchObject({
      vouchers: [{ expiration_date: new Date(late.publishing.now.getTime() + week).toISOString() }],
    });
  });
});
