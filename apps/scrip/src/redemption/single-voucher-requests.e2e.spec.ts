import { newId } from '@scrip/kernel';
import { cart, newVoucher, percentOff, post, scrip, useProject } from './single-vouchers.fixture';

useProject();

describe('calls for one voucher take what calls for redeemables take (reference 03 §5.3, §6.3)', () => {
  it('metadata that the schema refuses, in a validation and an explanation too', async () => {
    const property = { till: { type: 'string', optional: false } };
    const schemas = '/v1/metadata-schemas';
    await scrip.ask('POST', schemas, { related_object: 'redemption', properties: property });
    const code = await newVoucher(percentOff(10));
    const named = { redeemables: [{ object: 'voucher', id: code }] };
    const calls: Record<string, object> = {
      [`/v1/vouchers/${code}/validate`]: {},
      [`/v1/vouchers/${code}/redemption`]: {},
      '/v1/validations': named,
      '/v1/explanations': named,
      '/v1/promotions/validation': {},
    };
    const answers = [];
    for (const [path, body] of Object.entries(calls))
      answers.push({ path, ...(await post(path, { ...body, metadata: { till: 7 } })) });
    await scrip.call('DELETE', `${schemas}/redemption`);
    const body = { key: 'metadata_validation_failed', message: 'Metadata validation failed' };
    expect(answers).toMatchObject(Object.keys(calls).map((path) => ({ path, status: 400, body })));
  });

  it('a repetition under one key redeems once and gets the same answer', async () => {
    const code = await newVoucher({ ...percentOff(10), redemption: { quantity: null } });
    const headers = { 'idempotency-key': newId('key-') };
    const redeem = () => post(`/v1/vouchers/${code}/redemption`, { order: cart }, headers);
    const [first, second] = [await redeem(), await redeem()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const shown = await scrip.call('GET', `/v1/vouchers/${code}`);
    expect(shown.body).toMatchObject({ redemption: { redeemed_quantity: 1 } });
  });

  it('a session holds a use for whoever redeems with its key', async () => {
    const code = await newVoucher({ ...percentOff(10), redemption: { quantity: 1 } });
    const session = { key: newId('cart-'), type: 'LOCK', ttl: 1, ttl_unit: 'HOURS' };
    const { body: held } = await post(`/v1/vouchers/${code}/validate`, { session });
    expect(held).toMatchObject({ valid: true, session });
    const other = await post(`/v1/vouchers/${code}/redemption`, {});
    expect(other).toMatchObject({ status: 400, body: { key: 'quantity_exceeded' } });
    const { key, type } = session;
    expect(await post(`/v1/vouchers/${code}/redemption`, { session: { key, type } })).toMatchObject({
      status: 200,
      body: { result: 'SUCCESS', session: { key } },
    });
  });

  it('an anonymous customer is recognised by the tracking id', async () => {
    const code = await newVoucher({ ...percentOff(10), redemption: { quantity: null } });
    const { body } = await post(`/v1/vouchers/${code}/validate`, { customer: { source_id: 'visitor' } });
    const raw = await post(`/v1/vouchers/${code}/redemption?tracking_id=visitor`, {});
    const encoded = await post(`/v1/vouchers/${code}/redemption?tracking_id=${body.tracking_id}`, {});
    expect([raw.body.tracking_id, encoded.body.tracking_id]).toEqual([body.tracking_id, body.tracking_id]);
    const nobody = await post(`/v1/vouchers/${code}/redemption`, {});
    expect(nobody.body).toMatchObject({ tracking_id: null, customer: null, order: null, metadata: null });
  });

  it('a stored order is taken by its source id, and the answer names it', async () => {
    const stored = await scrip.ask<{ id: string }>('POST', '/v1/orders', {
      source_id: newId('stored-'),
      ...{ amount: 10_000, customer: { source_id: 'ada' } },
    });
    const code = await newVoucher({ ...percentOff(10), redemption: { quantity: null } });
    const { source_id } = stored as unknown as { source_id: string };
    for (const call of ['validate', 'redemption']) {
      const answer = await post(`/v1/vouchers/${code}/${call}`, { order: { source_id, amount: 7 } });
      expect([call, answer.headers.get('x-scrip-stored-order')]).toEqual([call, stored.id]);
      expect(answer.body.order).toMatchObject({ id: stored.id, amount: 10_000, total_amount: 9_000 });
    }
  });
});
