import type { ScripAnswer } from '@scrip/testing';
import {
  codeOf,
  fresh,
  holdersOf,
  programOf,
  published,
  refusal,
  scrip,
  useProject,
} from './referrals.fixture';

useProject();

describe('holders of referral codes over HTTP (reference 04 §11)', () => {
  const assign = (code: string, holders: object[], fields: object = {}): Promise<ScripAnswer> =>
    scrip.call('POST', holdersOf(code), { holders, ...fields });

  it('are the referrer and the referees that calls add', async () => {
    const campaign = await programOf();
    const { code, id, referrerId } = await published(campaign);
    const known = await scrip.ask<any>('POST', '/v1/customers', { source_id: fresh('known'), name: 'Ada' });
    const { status, body } = await assign(
      code,
      [{ id: known.id, name: 'Ada B' }, { source_id: fresh('new') }],
      {
        metadata: { party: 'spring' },
      },
    );
    expect(status).toBe(200);
    expect(body.holders).toHaveLength(2);
    expect(body.holders[0]).toEqual({
      id: expect.stringMatching(/^rh_/),
      created_at: expect.any(String),
      redeemable_id: id,
      redeemable_object: 'voucher',
      customer_id: known.id,
      holder_role: 'REFEREE',
      campaign_id: campaign.id,
      campaign_type: 'REFERRAL_PROGRAM',
      voucher_type: 'DISCOUNT_VOUCHER',
      metadata: { party: 'spring' },
      object: 'redeemable_holder',
    });
    expect(await scrip.ask('GET', `/v1/customers/${known.id}`)).toMatchObject({ name: 'Ada B' });
    const listed = await scrip.ask<any>('GET', `${holdersOf(code)}?order=id`);
    expect(listed).toMatchObject({ object: 'list', data_ref: 'data', total: 3, has_more: false });
    expect(listed.data[0]).toMatchObject({
      holder_role: 'REFERRER',
      customer_id: referrerId,
      metadata: {},
    });
    expect(listed.data.slice(1)).toEqual(body.holders);
    const first = await scrip.ask<any>('GET', `${holdersOf(code)}?order=-id&limit=2`);
    expect(first).toMatchObject({ total: 3, has_more: true, more_starting_after: body.holders[0].id });
    const rest = `${holdersOf(code)}?order=-id&limit=2&starting_after_id=${first.more_starting_after}`;
    expect(await scrip.ask('GET', rest)).toMatchObject({
      total: 3,
      has_more: false,
      data: [{ holder_role: 'REFERRER' }],
    });
    for (const [filter, total] of [
      ['filters[holder_role][conditions][$is]=REFERRER', 1],
      [`filters[customer_id][conditions][$in][0]=${known.id}`, 1],
      [`filters[id][conditions][$is]=${body.holders[1].id}`, 1],
      ['filters[created_at][conditions][$before]=2020-01-01T00:00:00.000Z', 0],
    ] as const)
      expect(await scrip.ask('GET', `${holdersOf(code)}?${filter}`)).toMatchObject({ total });
    expect((await scrip.call('DELETE', `${holdersOf(code)}/${body.holders[0].id}`)).status).toBe(204);
    expect(await scrip.ask('GET', holdersOf(code))).toMatchObject({ total: 2 });
  });

  it('are reached by the campaign of their code alone', async () => {
    const [campaign, other] = [await programOf(), await programOf()];
    const { code } = await published(campaign);
    const below = (named: string) => `/v1/referrals/${named}/members/${code}/holders`;
    const added = await scrip.call('POST', below(campaign.name), {
      holders: [{ source_id: fresh('bea') }],
    });
    expect(added.status).toBe(200);
    expect(await scrip.ask('GET', below(campaign.id))).toMatchObject({ total: 2 });
    const { id } = added.body.holders[0];
    expect((await scrip.call('DELETE', `${below(other.id)}/${id}`)).body).toMatchObject({
      key: 'not_found',
      resource_type: 'voucher',
    });
    expect((await scrip.call('DELETE', `${below(campaign.id)}/${id}`)).status).toBe(204);
  });

  it('are refused as the table says, and then nothing is stored', async () => {
    const campaign = await programOf();
    const unpublished = await codeOf(campaign);
    const { code, referrer, referrerId } = await published(campaign);
    const bea = fresh('bea');
    expect((await assign(code, [{ source_id: bea }])).status).toBe(200);
    const stranger = fresh('stranger');
    const duplicate = [409, 'holder_assignement_duplication', 'Holder assignment duplication'];
    const assigned = 'Customer is already assigned to given redeemable';
    expect(refusal(await assign(code, []))).toEqual([
      400,
      'invalid_payload',
      'Invalid payload',
      'Property .holders must NOT have fewer than 1 items',
    ]);
    expect(refusal(await assign(unpublished, [{ source_id: stranger }]))).toEqual([
      400,
      'not_published',
      'not published',
      'Referral code must be first published to Referrer before assigning it to Referee',
    ]);
    for (const taken of [{ source_id: bea }, { source_id: referrer }, { id: referrerId }])
      expect(refusal(await assign(code, [{ source_id: stranger }, taken]))).toEqual([...duplicate, assigned]);
    const twice = await assign(code, [{ source_id: stranger }, { source_id: stranger, name: 'S' }]);
    expect(twice.body).toMatchObject({ code: 409, key: 'duplicate_found', resource_type: 'customer' });
    const unknown = await assign(code, [{ source_id: stranger }, { id: 'cust_none' }]);
    expect(unknown.body).toMatchObject({ code: 404, key: 'not_found', resource_type: 'customer' });
    expect((await assign(code, [{ name: 'Nameless' }])).body).toMatchObject({
      key: 'invalid_payload',
      details: "Property .holders[0] should have required property 'source_id'",
    });
    expect((await scrip.call('GET', `/v1/customers/${stranger}`)).status).toBe(404);
    const { data } = await scrip.ask<any>('GET', `${holdersOf(code)}?order=id`);
    expect(refusal(await scrip.call('DELETE', `${holdersOf(code)}/${data[0].id}`))).toEqual([
      403,
      'forbidden',
      'Can not remove assignment',
      'You can not remove Referrer assignment',
    ]);
    expect((await scrip.call('DELETE', `${holdersOf(code)}/rh_none`)).body).toMatchObject({
      code: 404,
      resource_type: 'redeemable_holder',
    });
    const many = Array.from({ length: 101 }, (_, index) => ({ source_id: `${stranger}-${index}` }));
    expect((await assign(code, many)).body).toMatchObject({ code: 400, key: 'invalid_payload' });
    const coupons = await programOf({ campaign_type: 'DISCOUNT_COUPONS' });
    const coupon = await published(coupons);
    for (const [path, resource_type] of [
      [holdersOf('NONE'), 'voucher'],
      [holdersOf(coupon.code), 'voucher'],
      [`/v1/referrals/none/members/${code}/holders`, 'campaign'],
      [`/v1/referrals/${coupons.id}/members/${coupon.code}/holders`, 'campaign'],
    ] as const)
      expect((await scrip.call('GET', path)).body).toMatchObject({ code: 404, resource_type });
  });
});
