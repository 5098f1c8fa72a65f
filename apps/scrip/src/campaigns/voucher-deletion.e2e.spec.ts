import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

describe('deleting vouchers over HTTP', () => {
  let scrip: SharedScrip;
  let campaignId: string;

  beforeAll(async () => {
    scrip = await sharedScrip();
    const discount = { type: 'PERCENT', percent_off: 10 };
    const body = { name: 'deleted', campaign_type: 'DISCOUNT_COUPONS', voucher: { discount } };
    ({ id: campaignId } = await scrip.ask<any>('POST', '/v1/campaigns', body));
  }, 240_000);

  const add = (code: string): Promise<any> =>
    scrip.ask('POST', `/v1/campaigns/${campaignId}/vouchers/${code}`, {});
  const body = (code: string) => ({ redeemables: [{ object: 'voucher', id: code }] });
  const redeem = (code: string) => scrip.call('POST', '/v1/redemptions', body(code));
  const remove = (path: string) => scrip.call('DELETE', path);
  const notFound = (type: string, id: string) => ({
    status: 404,
    body: {
      key: 'not_found',
      message: 'Resource not found',
      details: `Cannot find ${type} with id ${id}`,
      resource_id: id,
      resource_type: type,
    },
  });

  it('leaves them to no call, and their redemptions can be rolled back', async () => {
    const { id } = await add('GONE');
    const redeemed = await redeem('GONE');
    expect(redeemed.status).toBe(200);
    expect(await remove('/v1/vouchers/GONE')).toMatchObject({ status: 204 });
    expect(await scrip.call('GET', '/v1/vouchers/GONE')).toMatchObject(notFound('voucher', 'GONE'));
    expect(await remove('/v1/vouchers/GONE')).toMatchObject(notFound('voucher', 'GONE'));
    expect(await remove(`/v1/vouchers/${id}`)).toMatchObject(notFound('voucher', id));
    expect((await redeem('GONE')).status).toBe(404);
    const { redeemables } = await scrip.ask<any>('POST', '/v1/validations', body('GONE'));
    expect(redeemables).toMatchObject([{ status: 'INAPPLICABLE' }]);
    const rollback = `/v1/redemptions/${redeemed.body.redemptions[0].id}/rollback`;
    expect(await scrip.call('POST', rollback, {})).toMatchObject({
      status: 200,
      body: { result: 'SUCCESS' },
    });
    expect((await scrip.call('GET', '/v1/vouchers/GONE')).status).toBe(404);
  });

  it('keeps their codes in the bin until they are purged', async () => {
    const { id } = await add('BINNED');
    await remove('/v1/vouchers/BINNED');
    const again = `/v1/campaigns/${campaignId}/vouchers/BINNED`;
    expect(await scrip.call('POST', again, {})).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        message: 'Duplicated resource found',
        details: expect.stringMatching(
          /^Duplicated voucher exists with id BINNED\. It lies in the trash bin: DELETE \/v1\/trash-bin\/tbe_\w+ frees it$/,
        ),
      },
    });
    const { data } = await scrip.ask<any>('GET', `/v1/trash-bin?filters[resource_id][conditions][$is]=${id}`);
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^tbe_/),
        created_at: expect.any(String),
        deleted_by_user_id: null,
        resource_id: id,
        resource_type: 'voucher',
        resource_name: 'BINNED',
        resource_parent_id: campaignId,
        object: 'voucher',
      },
    ]);
    const entry = `/v1/trash-bin/${data[0].id}`;
    expect(await remove(entry)).toMatchObject({ status: 204 });
    expect(await remove(entry)).toMatchObject(notFound('bin_entry', data[0].id));
    expect(await add('BINNED')).toMatchObject({ code: 'BINNED' });
  });

  it('with force frees their codes at once, without an entry', async () => {
    const { id } = await add('FORCED');
    expect(await remove('/v1/vouchers/FORCED?force=true')).toMatchObject({ status: 204 });
    const { data } = await scrip.ask<any>('GET', `/v1/trash-bin?filters[resource_id][conditions][$is]=${id}`);
    expect(data).toEqual([]);
    expect((await add('FORCED')).id).not.toBe(id);
  });

  it('takes their redemptions out of the lists, with a campaign those of all its vouchers', async () => {
    const listed = async (query = '') => {
      const { redemptions } = await scrip.ask<any>('GET', `/v1/redemptions?limit=100${query}`);
      return redemptions.map(({ id }: { id: string }) => id);
    };
    const redeemed = async (code: string) => {
      const { redemptions } = await scrip.ask<any>('POST', '/v1/redemptions', body(code));
      return redemptions[0].id as string;
    };
    const discount = { type: 'PERCENT', percent_off: 10 };
    const voucher = { discount, redemption: { quantity: 1 } };
    const fields = { name: 'leaves lists', campaign_type: 'DISCOUNT_COUPONS', voucher };
    const { id } = await scrip.ask<any>('POST', '/v1/campaigns', fields);
    for (const code of ['LEFT-1', 'LEFT-2'])
      await scrip.ask('POST', `/v1/campaigns/${id}/vouchers/${code}`, {});
    await add('STAYS');
    const [single, other, stays] = [
      await redeemed('LEFT-1'),
      await redeemed('LEFT-2'),
      await redeemed('STAYS'),
    ];
    await scrip.ask('POST', `/v1/redemptions/${other}/rollback`, {});
    expect((await scrip.call('POST', '/v1/redemptions', body('LEFT-1'))).status).toBe(400);
    const ofCampaign = '&campaign=leaves%20lists';
    expect(await listed(ofCampaign)).toHaveLength(4);
    await remove('/v1/vouchers/LEFT-1');
    await waitUntil(async () => (await listed(ofCampaign)).length === 2, { what: 'two entries to leave' });
    expect(await listed(ofCampaign)).toContain(other);
    await scrip.ask('DELETE', `/v1/campaigns/${id}`);
    await waitUntil(async () => (await listed(ofCampaign)).length === 0, { what: 'the others to leave' });
    expect(await listed()).toContain(stays);
    expect(await scrip.ask('GET', `/v1/redemptions/${single}`)).toMatchObject({ id: single });
  });

  it('refuses a force that is none', async () => {
    expect(await remove('/v1/vouchers/FORCED?force=perhaps')).toMatchObject({
      status: 400,
      body: { key: 'invalid_query_params', details: expect.stringContaining('.force') },
    });
  });
});
