import type { SharedScrip } from '@scrip/testing';
import { randomUUID } from 'node:crypto';

/** A project with something of everything that the calls below are about. */
export interface RepeatedWorld {
  scrip: SharedScrip;
  get<Answer = any>(path: string): Promise<Answer>;
  post<Answer = any>(path: string, body: object): Promise<Answer>;
  put(path: string, body: object): Promise<unknown>;
  /** Ids of objects made for all calls. */
  ids: Record<'rule' | 'tier' | 'disabled' | 'promotion' | 'template' | 'user', string>;
}

export const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } } as const;
export const coupons = (name: string, fields: object = {}) => ({
  ...{ name, type: 'STATIC', campaign_type: 'DISCOUNT_COUPONS', vouchers_count: 1, voucher: discount },
  ...fields,
});

/** Makes the world. */
export const repeatedWorld = async (scrip: SharedScrip): Promise<RepeatedWorld> => {
  const get = <Answer>(path: string) =>
    path.startsWith('/management') ? scrip.manage<Answer>('GET', path) : scrip.ask<Answer>('GET', path);
  const post = <Answer>(path: string, body: object) =>
    path.startsWith('/management')
      ? scrip.manage<Answer>('POST', path, body)
      : scrip.ask<Answer>('POST', path, body);
  const made = async (path: string, body: object) => (await post<{ id: string }>(path, body)).id;
  await post('/v1/campaigns', coupons('coupons'));
  await post('/v1/campaigns', coupons('ordered'));
  await post(
    '/v1/campaigns',
    coupons('with one code', { voucher: { ...discount, code_config: { pattern: 'LAST-#', charset: 'AB' } } }),
  );
  await post('/v1/campaigns', coupons('published', { type: 'AUTO_UPDATE' }));
  await post('/v1/campaigns', coupons('to publish once', { type: 'AUTO_UPDATE', join_once: true }));
  await post('/v1/campaigns', {
    ...{ name: 'gifts', campaign_type: 'GIFT_VOUCHERS', vouchers_count: 1 },
    voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1_000 } },
  });
  await post('/v1/campaigns', coupons('switched off'));
  await post('/v1/campaigns', coupons('switched on'));
  await post('/v1/campaigns/switched%20on/disable', {});
  await post('/v1/campaigns', {
    ...coupons('program', { type: 'AUTO_UPDATE' }),
    campaign_type: 'REFERRAL_PROGRAM',
    referral_program: { conversion_event: 'redemption' },
  });
  await post('/v1/campaigns/program/vouchers/FRIEND', {});
  await post('/v1/publications', { voucher: 'FRIEND', customer: { source_id: 'referrer' } });
  const promotion = await made('/v1/campaigns', {
    name: 'promotion',
    type: 'AUTO_UPDATE',
    campaign_type: 'PROMOTION',
  });
  const tier = await made(`/v1/promotions/${promotion}/tiers`, { name: 'first', action: discount });
  const disabled = await made(`/v1/promotions/${promotion}/tiers`, {
    ...{ name: 'disabled', action: discount, active: false },
  });
  for (const code of ['SWITCHED-OFF', 'SWITCHED-ON'])
    await post(`/v1/vouchers/${code}`, { ...discount, active: code === 'SWITCHED-OFF' });
  await post('/v1/vouchers/GIFT', { type: 'GIFT_VOUCHER', gift: { amount: 1_000 } });
  await post('/v1/products', { source_id: 'shirt', name: 'Shirt', price: 1, attributes: ['color'] });
  await post('/v1/products/shirt/skus', { source_id: 'blue', sku: 'Blue', price: 1 });
  await post('/v1/orders', { source_id: 'order', amount: 1 });
  for (const source_id of ['ada', 'gone']) await post('/v1/customers', { source_id, name: 'first' });
  const rule = await made('/v1/validation-rules', {
    ...{ name: 'large orders', type: 'expression' },
    rules: { 1: { name: 'order.amount', conditions: { $more_than: [1] } }, logic: '1' },
  });
  const template = await made('/v1/templates/campaigns', { name: 'kept', campaign_id: 'coupons' });
  return {
    scrip,
    get,
    post,
    put: (path, body) => scrip.ask('PUT', path, body),
    ids: { rule, tier, disabled, promotion, template, user: await userElsewhere(scrip) },
  };
};

/** A user who has a role in another project only. */
const userElsewhere = async ({ manage }: SharedScrip): Promise<string> => {
  const projects = '/management/v1/projects';
  const { id } = await manage<{ id: string }>('POST', projects, {
    name: 'Elsewhere',
    case_sensitive_codes: true,
    timezone: 'UTC',
    currency: 'EUR',
  });
  const email = `${randomUUID()}@example.com`;
  await manage('POST', `${projects}/users/invite`, {
    email,
    first_name: 'Tom',
    last_name: 'King',
    projects: { [id]: 'USER' },
  });
  const { data } = await manage<{ data: { id: string; login: string }[] }>('GET', `${projects}/${id}/users`);
  return data.find(({ login }) => login === email)!.id;
};
