import { type ScripAnswer, type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

describe('publications over HTTP (reference 04 §8)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  });

  let names = 0;
  const fresh = (what: string): string => `${what} ${(names += 1)}`;

  const publish = (body: unknown, query = '', headers?: Record<string, string>): Promise<ScripAnswer> =>
    scrip.call('POST', `/v1/publications${query}`, body, headers);

  /** A campaign with `count` codes, which exist when it returns. */
  const campaignOf = async (count: number, fields: object = {}): Promise<{ id: string; name: string }> => {
    const name = fresh('Club');
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      vouchers_count: count,
      ...fields,
    });
    const isDone = async () =>
      (await scrip.ask<{ creation_status: string }>('GET', `/v1/campaigns/${id}`)).creation_status === 'DONE';
    await waitUntil(isDone, { what: 'the codes' });
    return { id, name };
  };

  const codeOf = async (campaign: { id: string }): Promise<string> => {
    const code = fresh('CODE').replace(' ', '-');
    await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
    return code;
  };

  const refusalOf = ({ status, body: { key, message, details } }: ScripAnswer) => ({
    status,
    key,
    message,
    details,
  });

  it('assigns a named code to a customer, whom it creates', async () => {
    const campaign = await campaignOf(0);
    const voucher = await codeOf(campaign);
    const source_id = fresh('ada');
    const { status, body } = await publish({
      voucher,
      campaign: 'not even resolved',
      customer: { source_id, name: 'Ada' },
      channel: 'shop',
      metadata: { desk: 4 },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^pub_[0-9a-f]{32}$/),
      object: 'publication',
      created_at: expect.any(String),
      customer_id: expect.stringMatching(/^cust_/),
      tracking_id: source_id,
      metadata: { desk: 4 },
      channel: 'shop',
      source_id: null,
      result: 'SUCCESS',
      customer: {
        ...(await scrip.ask<object>('GET', `/v1/customers/${encodeURIComponent(source_id)}`)),
      },
      vouchers_id: [body.voucher.id],
      voucher: await scrip.ask('GET', `/v1/vouchers/${voucher}`),
    });
    expect(body.voucher).toMatchObject({
      code: voucher,
      holder_id: body.customer_id,
      referrer_id: null,
      publish: { count: 1 },
      updated_at: body.created_at,
    });
  });

  it('gives a code of a campaign, or several at once', async () => {
    const { id, name } = await campaignOf(3);
    const one = await publish({ campaign: name, customer: fresh('bea') });
    expect(one.body.voucher).toMatchObject({ campaign_id: id, publish: { count: 1 } });
    const two = await publish({ campaign: { name: id, count: 2 }, customer: { source_id: fresh('cid') } });
    expect(two.body.vouchers).toHaveLength(2);
    expect(two.body.vouchers_id).toHaveLength(2);
    expect(two.body).not.toHaveProperty('voucher');
    expect(new Set([one.body.voucher.code, ...two.body.vouchers]).size).toBe(3);
  });

  it('takes a customer by id, and one without source id', async () => {
    const campaign = await campaignOf(0, { type: 'AUTO_UPDATE' });
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/customers', { name: 'Dot' });
    expect((await publish({ campaign: campaign.id, customer: id })).body.customer_id).toBe(id);
    const { body } = await publish({ campaign: campaign.id, customer: { email: 'eve@example.com' } });
    expect(body.customer).toMatchObject({ email: 'eve@example.com' });
    expect(body).not.toHaveProperty('tracking_id');
  });

  it('gives a code the dates of its activity', async () => {
    const campaign = await campaignOf(2, {
      activity_duration_after_publishing: 'P10D',
      start_date: '2020-01-01',
      expiration_date: '2099-01-01',
    });
    const { body } = await publish({ campaign: campaign.id, customer: fresh('fay') });
    const days = (Date.parse(body.voucher.expiration_date) - Date.parse(body.created_at)) / 86_400_000;
    expect(body.voucher.start_date).toBe(body.created_at);
    expect(Math.abs(days - 10)).toBeLessThanOrEqual(1 / 24);
  });

  it('refuses in the order of the reference', async () => {
    const campaign = await campaignOf(1);
    const voucher = await codeOf(campaign);
    const taken = await publish({ voucher, customer: fresh('gus') });
    const customer = fresh('hal');
    const refused = async (body: object) => refusalOf(await publish({ customer, ...body }));
    expect(refusalOf(await publish({ voucher }))).toMatchObject({
      status: 400,
      key: 'invalid_payload',
      details: "Payload should have required property 'customer'",
    });
    expect(await refused({ campaign: { name: campaign.name, count: 51 } })).toMatchObject({
      status: 400,
      key: 'invalid_payload',
      details: 'Property .campaign.count must be <= 50',
    });
    expect(await refused({ voucher: null, campaign: null })).toEqual({
      status: 400,
      key: 'missing_vouchers',
      message: 'Missing vouchers',
      details: 'Either Campaign or Voucher is required',
    });
    expect(await refused({ campaign: { name: campaign.name, count: 2 }, source_id: 'two' })).toMatchObject({
      status: 400,
      key: 'too_many_vouchers_requested',
      details: 'Only up to 1 can be published',
    });
    const promotion = { name: fresh('Tiers'), campaign_type: 'PROMOTION' };
    await scrip.ask('POST', '/v1/campaigns', promotion);
    expect(await refused({ campaign: promotion.name })).toMatchObject({
      status: 400,
      key: 'invalid_campaign',
      details: 'You can not publish vouchers of PROMOTION campaign.',
    });
    expect(await refused({ campaign: 'nowhere' })).toMatchObject({
      status: 404,
      key: 'not_found',
      details: 'Cannot find campaign with id nowhere',
    });
    expect(await refused({ voucher: 'NOTHING' })).toMatchObject({
      status: 404,
      details: 'Cannot find voucher with id NOTHING',
    });
    expect(await refused({ voucher, customer: { id: 'cust_unknown' } })).toMatchObject({
      status: 404,
      details: 'Cannot find customer with id cust_unknown',
    });
    expect(await refused({ voucher })).toMatchObject({
      status: 400,
      key: 'voucher_already_published',
      details: `Voucher '${taken.body.voucher.id}' has already been published`,
    });
    const disabled = await codeOf(await campaignOf(0));
    const { id } = await scrip.ask<{ id: string }>('POST', `/v1/vouchers/${disabled}/disable`);
    expect(await refused({ voucher: disabled })).toMatchObject({
      status: 400,
      key: 'voucher_disabled',
      details: `Voucher '${id}' is not active`,
    });
    await publish({ campaign: campaign.id, customer });
    expect(await refused({ campaign: campaign.name })).toEqual({
      status: 400,
      key: 'no_voucher_suitable_for_publication',
      message: "Couldn't find any voucher suitable for publication",
      details: "Couldn't find any voucher suitable for publication",
    });
    const full = await campaignOf(1, {
      type: 'AUTO_UPDATE',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10 },
        code_config: { pattern: `${fresh('P')}-#`, charset: 'X' },
      },
    });
    await publish({ campaign: full.id, customer });
    expect(await refused({ campaign: full.id })).toMatchObject({
      key: 'no_voucher_suitable_for_publication',
      details: "Couldn't create new vouchers for publication",
    });
  });

  it('lets a customer join once where the campaign says so', async () => {
    const campaign = await campaignOf(3, { join_once: true });
    const customer = fresh('ida');
    const first = await publish({ campaign: campaign.id, customer });
    const again = await publish({ campaign: campaign.id, customer });
    expect(again.body).toEqual(first.body);
    const two = { campaign: { name: campaign.name, count: 2 }, customer: fresh('ivo') };
    expect(refusalOf(await publish(two))).toMatchObject({
      status: 400,
      key: 'too_many_vouchers_requested',
      details: 'Only up to 1 can be published',
    });
    const moreOfIt = await publish({ campaign: { name: campaign.name, count: 2 }, customer });
    expect(moreOfIt.body).toEqual(first.body);
    for (const body of [
      { campaign: campaign.id, source_id: fresh('unused') },
      { voucher: await codeOf(campaign) },
    ]) {
      expect(refusalOf(await publish({ ...body, customer }))).toMatchObject({
        status: 400,
        key: 'voucher_cannot_be_published',
        details: 'Voucher cannot be published. Customer already joined program.',
      });
    }
  });

  it('lets a call ask for joining once', async () => {
    const campaign = await campaignOf(3);
    const customer = fresh('joe');
    const first = await publish({ campaign: campaign.id, customer });
    const again = await publish({ campaign: campaign.id, customer }, '?join_once=true');
    expect(again.body.id).toBe(first.body.id);
    expect((await publish({ campaign: campaign.id, customer })).body.id).not.toBe(first.body.id);
  });

  it('answers a repeated source id with the stored publication, and refuses another use of it', async () => {
    const campaign = await campaignOf(3);
    const [customer, source_id] = [fresh('kay'), fresh('order')];
    const first = await publish({ campaign: campaign.id, customer, source_id });
    expect((await publish({ campaign: campaign.name, customer, source_id })).body).toEqual(first.body);
    for (const other of [
      { campaign: campaign.id, customer: fresh('lea') },
      { voucher: first.body.voucher.code, customer },
      { campaign: (await campaignOf(1)).id, customer },
    ]) {
      expect(refusalOf(await publish({ ...other, source_id }))).toMatchObject({
        status: 400,
        key: 'duplicate_source_id',
        details: `Publication with source_id: '${source_id}' already exists`,
      });
    }
  });

  it('answers a repetition under an Idempotency-Key as the first time', async () => {
    const campaign = await campaignOf(2);
    const headers = { 'idempotency-key': fresh('key') };
    const body = { campaign: campaign.id, customer: fresh('max') };
    const first = await publish(body, '', headers);
    expect((await publish(body, '', headers)).body).toEqual(first.body);
  });

  it('lists publications and failures, newest first, by each of its parameters', async () => {
    const campaign = await campaignOf(3);
    const [customer, source_id] = [fresh('nia'), fresh('listed')];
    const first = await publish({ campaign: campaign.id, customer, source_id, metadata: { desk: 1 } });
    const two = await publish({ campaign: { name: campaign.id, count: 2 }, customer });
    const failed = await publish({ campaign: campaign.id, customer });
    expect(failed.body.key).toBe('no_voucher_suitable_for_publication');
    const { voucher, customer_id } = first.body;
    const list = async (query: string) =>
      (await scrip.ask<{ publications: any[] }>('GET', `/v1/publications?${query}`)).publications;
    const mine = `customer=${encodeURIComponent(customer)}`;
    const all = await list(mine);
    expect(all.map(({ result }) => result)).toEqual(['FAILURE', 'SUCCESS', 'SUCCESS']);
    expect(all[0]).toMatchObject({
      vouchers_id: [],
      vouchers: [],
      failure_code: 'no_voucher_suitable_for_publication',
      failure_message: "Couldn't find any voucher suitable for publication",
    });
    expect(all[1]).toMatchObject({ id: two.body.id, vouchers: two.body.vouchers });
    expect(all[2]).toEqual({
      id: first.body.id,
      object: 'publication',
      created_at: first.body.created_at,
      customer_id,
      tracking_id: customer,
      metadata: { desk: 1 },
      channel: 'API',
      source_id,
      result: 'SUCCESS',
      customer: first.body.customer,
      vouchers_id: [voucher.id],
      voucher: {
        code: voucher.code,
        object: 'voucher',
        campaign: campaign.name,
        discount: { type: 'PERCENT', percent_off: 10 },
        is_referral_code: false,
      },
    });
    for (const [query, ids] of [
      [`source_id=${encodeURIComponent(source_id)}`, [first.body.id]],
      [`voucher=${voucher.code}`, [first.body.id]],
      [`voucher=${two.body.vouchers[1]}`, [two.body.id]],
      [
        `campaign=${encodeURIComponent(campaign.name)}&result=SUCCESS&order=created_at`,
        [first.body.id, two.body.id],
      ],
      [`customer=${customer_id}&filters[result][conditions][$is]=FAILURE`, [all[0].id]],
      [`filters[related_object_id][conditions][$is]=${voucher.id}`, [first.body.id]],
      [`filters[parent_object_id][conditions][$is]=${campaign.id}&voucher_type=loyalty`, []],
      [`campaign=${campaign.id}&is_referral_code=true`, []],
      [`${mine}&order=created_at&limit=1`, [first.body.id]],
      ...['id', 'voucher_code', 'tracking_id', 'customer_id', 'channel'].map(
        (order) => [`customer=nobody&order=-${order}`, []] as const,
      ),
      [`${mine}&filters[failure_code][conditions][$is]=no_voucher_suitable_for_publication`, [all[0].id]],
      [`${mine}&filters[source_id][conditions][$starts_with]=listed`, [first.body.id]],
      [`filters[customer_id][conditions][$is]=${customer_id}&result=FAILURE`, [all[0].id]],
      [
        `filters[campaign_name][conditions][$is]=${encodeURIComponent(campaign.name)}&result=FAILURE`,
        [all[0].id],
      ],
      [`${mine}&filters[voucher_type][conditions][$is]=GIFT_VOUCHER`, []],
      [`${mine}&filters[is_referral_code][conditions][$is]=TRUE`, []],
      ['campaign=nowhere', []],
      ['customer=nobody', []],
    ] as const) {
      expect((await list(query)).map(({ id }) => id)).toEqual(ids);
    }
    const ofVoucher = await scrip.ask('GET', `/v1/vouchers/${voucher.code}/publications`);
    expect(ofVoucher).toMatchObject({
      object: 'list',
      data_ref: 'publications',
      total: 1,
      publications: [{ id: first.body.id }],
    });
    expect(refusalOf(await scrip.call('GET', '/v1/vouchers/NOTHING/publications'))).toMatchObject({
      status: 404,
    });
  });

  it('assigns a code without a campaign, and a gift card shows what it holds', async () => {
    const code = fresh('CARD').replace(' ', '-');
    await scrip.ask('POST', `/v1/vouchers/${code}`, { type: 'GIFT_VOUCHER', gift: { amount: 500 } });
    const { body } = await publish({ voucher: code, customer: fresh('pat') }, '?join_once=true');
    expect(body.voucher).toMatchObject({ code, campaign: null, holder_id: body.customer_id });
    const { publications } = await scrip.ask<any>('GET', `/v1/publications?voucher=${code}`);
    expect(publications[0].voucher).toEqual({
      code,
      object: 'voucher',
      campaign: null,
      gift: { amount: 500, subtracted_amount: 0, balance: 500, effect: 'APPLY_TO_ORDER' },
      is_referral_code: false,
    });
  });

  it('leaves the source id of an attempt that failed free', async () => {
    const campaign = await campaignOf(0);
    const [customer, source_id] = [fresh('oda'), fresh('again')];
    const body = { campaign: campaign.id, customer, source_id };
    expect((await publish(body)).body.key).toBe('no_voucher_suitable_for_publication');
    await codeOf(campaign);
    const { body: published } = await publish(body);
    expect(published).toMatchObject({ result: 'SUCCESS', source_id });
    const { publications } = await scrip.ask<{ publications: any[] }>(
      'GET',
      `/v1/publications?source_id=${encodeURIComponent(source_id)}`,
    );
    expect(publications.map(({ id, result }) => [id, result])).toEqual([
      [published.id, 'SUCCESS'],
      [expect.stringMatching(/^pub_/), 'FAILURE'],
    ]);
  });

  it('finds publications by the campaign that lives, not by one that is deleted', async () => {
    const { id, name } = await campaignOf(1);
    const { body } = await publish({ campaign: id, customer: fresh('pia') });
    const found = async (query: string): Promise<string[]> => {
      const { publications } = await scrip.ask<any>('GET', `/v1/publications?${query}`);
      return publications.map((one: { id: string }) => one.id);
    };
    const byName = `campaign=${encodeURIComponent(name)}`;
    expect(await found(byName)).toEqual([body.id]);
    expect((await scrip.call('DELETE', `/v1/campaigns/${id}`)).status).toBe(202);
    expect(await found(byName)).toEqual([]);
    expect(await found(`campaign=${id}`)).toEqual([]);
    expect(await found(`filters[parent_object_id][conditions][$is]=${id}`)).toEqual([body.id]);
  });

  it('ends at the 1000th page', async () => {
    const beyond = await scrip.call('GET', '/v1/publications?page=1001');
    expect(refusalOf(beyond)).toMatchObject({
      status: 400,
      key: 'page_over_limit',
      message: 'Listing resource above 1000 page is not supported',
    });
    expect((await scrip.call('GET', '/v1/publications?page=1000')).body.publications).toEqual([]);
  });
});
