import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

const defaults = {
  redeemables_limit: 30,
  applicable_redeemables_limit: 5,
  applicable_redeemables_per_category_limit: null,
  applicable_redeemables_category_limits: {},
  applicable_exclusive_redeemables_limit: 1,
  applicable_exclusive_redeemables_per_category_limit: null,
  exclusive_categories: [],
  joint_categories: [],
  redeemables_application_mode: 'ALL',
  redeemables_sorting_rule: 'REQUESTED_ORDER',
  grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST',
  discount_calculation_mode: 'DISCOUNTED_AMOUNT',
  initial_amount_mode_categories: [],
  discounted_amount_mode_categories: [],
  redeemables_products_application_mode: 'STACK',
  redeemables_no_effect_rule: 'REDEEM_ANYWAY',
  no_effect_skip_categories: [],
  no_effect_redeem_anyway_categories: [],
  redeemables_rollback_order_mode: 'WITH_ORDER',
};

describe('the stacking rules of a project', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: 'Ten off',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
        redemption: { quantity: null },
      },
    });
    for (const code of ['ONE', 'TWO']) await scrip.ask('POST', `/v1/campaigns/${id}/vouchers/${code}`, {});
  }, 240_000);

  const rules = (method: string, path = '', body?: unknown): Promise<ScripAnswer> => {
    const { project_id: id } = scrip.credentials;
    return scrip.callAsManager(method, `/management/v1/projects/${id}/stacking-rules${path}`, body);
  };
  const stored = async (): Promise<{ id?: string }> =>
    ((await rules('GET')).body as { data: { id?: string }[] }).data[0] ?? {};
  afterEach(async () => {
    const { id } = await stored();
    if (id) await rules('DELETE', `/${id}`);
  });

  /** Stores rules; returns a change of them. */
  const have = async (settings: object): Promise<(change: object) => Promise<ScripAnswer>> => {
    const { status, body } = await rules('POST', '', settings);
    expect(status).toBe(200);
    return (change) => rules('PUT', `/${body.id}`, change);
  };
  const request = (...codes: string[]) => ({
    redeemables: codes.map((id) => ({ object: 'voucher', id })),
    order: { amount: 10_000 },
  });
  const validate = async (...codes: string[]): Promise<Record<string, any>> =>
    (await scrip.call('POST', '/v1/validations', request(...codes))).body as Record<string, any>;

  it('are one element of a list, the defaults without an id', async () => {
    expect((await rules('GET')).body).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [defaults],
      total: 1,
    });
  });

  it('are stored once, read, changed in part, and deleted', async () => {
    const { status, body } = await rules('POST', '', {
      redeemables_limit: 10,
      exclusive_categories: ['cat_a'],
    });
    const expected = {
      ...defaults,
      redeemables_limit: 10,
      exclusive_categories: ['cat_a'],
      id: expect.stringMatching(/^stk_[0-9a-f]{32}$/),
      created_at: expect.stringMatching(/Z$/),
    };
    expect([status, body]).toEqual([200, expected]);
    expect((await rules('GET')).body).toMatchObject({ data: [body], total: 1 });
    expect((await rules('GET', `/${body.id}`)).body).toEqual(body);
    expect(await rules('POST', '', {})).toMatchObject({
      status: 409,
      body: {
        key: 'stacking_rules_exist',
        message: 'Stacking rules exist',
        details: `The project has stacking rules with id ${body.id}`,
      },
    });
    const changed = await rules('PUT', `/${body.id}`, {
      exclusive_categories: ['cat_b'],
      applicable_redeemables_per_category_limit: 2,
    });
    expect(changed.body).toEqual({
      ...expected,
      exclusive_categories: ['cat_b'],
      applicable_redeemables_per_category_limit: 2,
      updated_at: expect.stringMatching(/Z$/),
    });
    const taken = await rules('PUT', `/${body.id}`, { applicable_redeemables_per_category_limit: null });
    expect(taken.body.applicable_redeemables_per_category_limit).toBeNull();
    expect((await rules('DELETE', `/${body.id}`)).status).toBe(204);
    expect(await stored()).toEqual(defaults);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await rules(method, `/${body.id}`, method === 'PUT' ? {} : undefined)).toMatchObject({
        status: 404,
        body: {
          key: 'not_found',
          details: `Cannot find stacking rules with id ${body.id}`,
          resource_type: 'stacking_rules',
        },
      });
  });

  it('take percentages of what they say, from the next request on', async () => {
    const totalOff = async () => (await validate('ONE', 'TWO')).order.total_discount_amount as number;
    expect(await totalOff()).toBe(1_900);
    const change = await have({ discount_calculation_mode: 'INITIAL_AMOUNT' });
    expect(await totalOff()).toBe(2_000);
    await change({ discount_calculation_mode: 'DISCOUNTED_AMOUNT' });
    expect(await totalOff()).toBe(1_900);
    await change({ discount_calculation_mode: 'INITIAL_AMOUNT' });
    const redeemed = await scrip.call('POST', '/v1/redemptions', request('ONE', 'TWO'));
    expect(redeemed.body.order.total_discount_amount).toBe(2_000);
    await rules('DELETE', `/${(await stored()).id}`);
    expect(await totalOff()).toBe(1_900);
  });

  it('apply a part where they say so', async () => {
    expect(await validate('ONE', 'NONE')).toMatchObject({ valid: false });
    await have({ redeemables_application_mode: 'PARTIAL' });
    expect(await validate('ONE', 'NONE')).toMatchObject({
      valid: true,
      redeemables: [{ id: 'ONE', status: 'APPLICABLE' }],
      inapplicable_redeemables: [{ id: 'NONE', status: 'INAPPLICABLE' }],
      stacking_rules: { redeemables_application_mode: 'PARTIAL' },
    });
  });

  it('bound how many apply', async () => {
    const change = await have({ applicable_redeemables_limit: 1 });
    expect(await validate('ONE', 'TWO')).toMatchObject({
      redeemables: [{ id: 'ONE', status: 'APPLICABLE' }],
      skipped_redeemables: [{ id: 'TWO', status: 'SKIPPED' }],
      stacking_rules: { applicable_redeemables_limit: 1 },
    });
    await change({ applicable_redeemables_limit: 2 });
    expect((await validate('ONE', 'TWO')).redeemables).toHaveLength(2);
  });

  it('bound how many are sent, in every call, before anything else is looked at', async () => {
    await have({ redeemables_limit: 2, applicable_redeemables_limit: 2 });
    expect((await validate('ONE', 'TWO')).valid).toBe(true);
    const customer = { source_id: `too-many-${Date.now()}` };
    for (const path of ['/v1/validations', '/v1/explanations', '/v1/redemptions'])
      expect(await scrip.call('POST', path, { ...request('ONE', 'TWO', 'NONE'), customer })).toMatchObject({
        status: 400,
        body: { key: 'invalid_payload', details: 'Property .redeemables should NOT have more than 2 items' },
      });
    expect((await scrip.call('GET', `/v1/customers/${customer.source_id}`)).status).toBe(404);
  });

  it('say of categories what they make of them, wherever these are asked for', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['COMMON', 'JOINT', 'EXCLUSIVE']) {
      const body = { name: `${name} ${Date.now()}`, hierarchy: 1 };
      ids[name] = (await scrip.ask<{ id: string }>('POST', '/v1/categories', body)).id;
      await scrip.ask('POST', `/v1/vouchers/${name}`, {
        ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } },
        ...{ category_id: ids[name], redemption: { quantity: null } },
      });
    }
    await have({ exclusive_categories: [ids.EXCLUSIVE], joint_categories: [ids.JOINT] });
    const expanded = { ...request('COMMON', 'JOINT', 'EXCLUSIVE'), options: { expand: ['category'] } };
    const types = (of: any[]) => of.map(({ categories: [one] }) => one.stacking_rules_type as unknown);
    const validated = await scrip.call('POST', '/v1/validations', expanded);
    expect(types(validated.body.redeemables)).toEqual(['EXCLUSIVE', 'JOINT']);
    expect(types(validated.body.skipped_redeemables)).toEqual([undefined]);
    const redeemed = await scrip.call('POST', '/v1/redemptions', expanded);
    expect(types(redeemed.body.redemptions.map((one: any) => one.voucher))).toEqual(['EXCLUSIVE', 'JOINT']);
    expect(types(redeemed.body.skipped_redeemables)).toEqual([undefined]);
    const alone = { options: { expand: ['category'] } };
    const single = await scrip.call('POST', '/v1/vouchers/JOINT/validate', alone);
    expect(types([single.body])).toEqual(['JOINT']);
  });

  it('leave the order of a rollback as it is where they say so', async () => {
    const rolledBack = async (source_id: string): Promise<string> => {
      const { body } = await scrip.call('POST', '/v1/redemptions', {
        redeemables: [{ object: 'voucher', id: 'ONE' }],
        order: { source_id, amount: 10_000, status: 'PAID' },
      });
      const id = (body.redemptions as { id: string }[])[0]?.id ?? '';
      const { status, body: answer } = await scrip.call('POST', `/v1/redemptions/${id}/rollback`, {});
      expect(status).toBe(200);
      return (answer as { order: { status: string } }).order.status;
    };
    expect(await rolledBack('with')).toBe('CANCELED');
    await have({ redeemables_rollback_order_mode: 'WITHOUT_ORDER' });
    expect(await rolledBack('without')).toBe('PAID');
  });

  test.each<[object, string]>([
    [{ redeemables_limit: 31 }, 'Property .redeemables_limit must be <= 30'],
    [{ redeemables_limit: 0 }, 'Property .redeemables_limit must be >= 1'],
    [
      { applicable_exclusive_redeemables_limit: 6 },
      'Property .applicable_exclusive_redeemables_limit must be <= 5',
    ],
    [{ redeemables_limit: 4 }, 'Property .applicable_redeemables_limit must be <= 4'],
    [
      { applicable_redeemables_category_limits: { cat_a: 11 } },
      'Property .applicable_redeemables_category_limits.cat_a must be <= 10',
    ],
    [
      { applicable_redeemables_category_limits: { cat_a: 'x' } },
      'Property .applicable_redeemables_category_limits.cat_a must be integer',
    ],
    [
      { applicable_redeemables_category_limits: [] },
      'Property .applicable_redeemables_category_limits must be object',
    ],
    [
      { redeemables_application_mode: 'SOME' },
      'Property .redeemables_application_mode should be equal to one of the allowed values [ ALL, PARTIAL ]',
    ],
  ])('refuse %j', async (sent, details) => {
    expect(await rules('POST', '', sent)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });
});
