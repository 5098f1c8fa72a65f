import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip } from '@scrip/testing';

interface Json {
  [key: string]: unknown;
}

describe('validation rules over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  });

  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json) =>
    scrip.call(method, path, body);
  const create = async (body: Json) => (await call('POST', '/v1/validation-rules', body)).body as Json;
  const campaign = async () => {
    const name = newId('Ruled-');
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
    await call('POST', '/v1/campaigns', { name, voucher });
    return name;
  };

  it('are echoed as they were sent, with defaults for the rest', async () => {
    const rules = {
      '1': { name: 'customer.segment', conditions: { $is: ['seg_1'] }, error: { message: 'VIPs only' } },
      '2': {
        name: 'order.items.any',
        conditions: { $is: [{ id: 'prod_1', object: 'product', shelf: 'A' }] },
        rules: {
          '1': { name: 'order.items.aggregated_quantity', conditions: { $more_than_or_equal: [3] } },
          logic: '1',
        },
      },
      '3': { name: 'order.initial_amount', conditions: { $greater_than: [10_000] }, rules: {} },
      logic: '1 and (2 or 3)',
    };
    const created = await create({ name: 'VIPs', rules, error: { message: 'Not eligible' }, color: 'red' });
    expect(created).toEqual({
      id: expect.stringMatching(/^val_[0-9a-f]{32}$/) as string,
      name: 'VIPs',
      rules,
      error: { message: 'Not eligible' },
      applicable_to: { excluded: [], included: [], included_all: false },
      bundle_rules: {},
      type: 'expression',
      context_type: 'global',
      created_at: expect.any(String) as string,
      object: 'validation_rules',
    });
    expect((await call('GET', `/v1/validation-rules/${created.id as string}`)).body).toEqual(created);
  });

  it('answer the effect of an entry of their scope that names none', async () => {
    const lamp = { object: 'product', id: 'lamp' };
    const scope = {
      included: [lamp, { ...lamp, id: 'bulb', effect: 'APPLY_TO_CHEAPEST' }],
      excluded: [{ ...lamp, id: 'shade' }],
      included_all: false,
    };
    const created = await create({ name: 'Lamps', applicable_to: scope });
    const answered = {
      included: [
        { ...lamp, effect: 'APPLY_TO_EVERY' },
        { ...lamp, id: 'bulb', effect: 'APPLY_TO_CHEAPEST' },
      ],
      excluded: [{ ...lamp, id: 'shade', effect: 'APPLY_TO_EVERY' }],
      included_all: false,
    };
    expect(created['applicable_to']).toEqual(answered);
    expect((await call('GET', `/v1/validation-rules/${created.id as string}`)).body).toEqual(created);
  });

  it('keep what a change does not name, and lose a bundle by null', async () => {
    const bundle = {
      '1': {
        name: 'order.items.any',
        conditions: { $is: [{ id: 'prod_1', type: 'product_or_sku', object: 'product' }] },
        rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } }, logic: '1' },
      },
      limit: 3,
    };
    const { id, ...created } = await create({ name: 'Pair', bundle_rules: bundle });
    expect(created).toMatchObject({ rules: { logic: '' }, bundle_rules: bundle });
    const path = `/v1/validation-rules/${id as string}`;
    const changed = (await call('PUT', path, { error: { message: 'Take two' } })).body as Json;
    expect(changed).toMatchObject({ ...created, error: { message: 'Take two' } });
    expect(changed.updated_at).toEqual(expect.any(String));
    expect((await call('PUT', path, { bundle_rules: null })).body).toMatchObject({
      bundle_rules: {},
      name: 'Pair',
      error: { message: 'Take two' },
    });
  });

  it.each<[Json, string, string]>([
    [{}, 'invalid_payload', "Payload must have required property 'name'"],
    [{ name: 7 }, 'invalid_payload', 'Property .name must be string'],
    [{ name: 'x', rules: [] }, 'invalid_payload', 'Property .rules must be object'],
    [{ name: 'x', type: 'simple' }, 'invalid_payload', 'Property .type should be equal to one of'],
    [{ name: 'x', context_type: 'here' }, 'invalid_payload', 'Property .context_type should be equal'],
    [
      { name: 'x', rules: { '1': { name: 'no.rule' } } },
      'invalid_validation_rules',
      "Unknown rule name 'no.rule'",
    ],
    [
      { name: 'x', rules: { '1': { name: 'custom_event.metadata' } } },
      'invalid_validation_rules',
      "Rule 'custom_event.metadata' must have a 'property'",
    ],
    [
      { name: 'x', rules: { '1': { name: 'order.amount' }, logic: '1 and 2' } },
      'invalid_validation_rules',
      '2',
    ],
    [
      { name: 'x', bundle_rules: { limit: 0 } },
      'invalid_validation_rules',
      'Bundle limit must be an integer',
    ],
  ])('are refused where they cannot be evaluated: %j', async (body, key, details) => {
    const { status, body: refused } = await call('POST', '/v1/validation-rules', body);
    expect({ status, key: (refused as Json).key }).toEqual({ status: 400, key });
    expect((refused as Json).details).toContain(details);
  });

  it('are assigned to campaigns and vouchers, counted, and cannot be deleted meanwhile', async () => {
    const name = await campaign();
    const { id } = await create({ name: 'Large orders' });
    const path = `/v1/validation-rules/${id as string}`;
    const { status, body } = await call('POST', `${path}/assignments`, {
      related_object_type: 'campaign',
      related_object_id: name,
    });
    const assignment = body as Json;
    expect({ status, assignment }).toEqual({
      status: 200,
      assignment: {
        id: expect.stringMatching(/^asgm_/) as string,
        rule_id: id,
        related_object_type: 'campaign',
        related_object_id: expect.stringMatching(/^camp_/) as string,
        created_at: expect.any(String) as string,
        object: 'validation_rules_assignment',
      },
    });
    expect((await call('GET', path)).body).toMatchObject({ assignments_count: 1 });
    expect(await call('DELETE', path)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_in_use',
        message: 'Resource in use',
        related_object_ids: [assignment.related_object_id],
        related_object_type: assignment.related_object_type,
      },
    });
    const again = { related_object_type: 'campaign', related_object_id: name };
    expect(await call('POST', `${path}/assignments`, again)).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        details: `Duplicated validation_rules_assignment exists with id ${assignment.id as string}`,
        resource_id: assignment.id,
      },
    });
    const forced = (await call('POST', `${path}/assignments?force=true`, again)).body as Json;
    expect(forced.id).not.toBe(assignment.id);
    for (const listed of [
      `${path}/assignments`,
      `/v1/validation-rules-assignments?rule=${id as string}`,
      `/v1/validation-rules-assignments?related_object_id=${assignment.related_object_id as string}`,
    ])
      expect((await call('GET', listed)).body).toEqual({
        object: 'list',
        data_ref: 'data',
        data: [forced],
        total: 1,
      });
    expect((await call('DELETE', `${path}/assignments/${forced.id as string}`)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(204);
    expect(await call('GET', path)).toMatchObject({
      status: 404,
      body: {
        key: 'not_found',
        details: `Cannot find validation_rules with id ${id as string}`,
        resource_type: 'validation_rules',
      },
    });
  });

  it('are assigned to what exists only', async () => {
    const { id } = await create({ name: 'Lonely' });
    const path = `/v1/validation-rules/${id as string}/assignments`;
    for (const type of ['voucher', 'campaign', 'promotion_tier', 'earning_rule', 'reward_assignment'])
      expect(
        await call('POST', path, { related_object_type: type, related_object_id: 'none' }),
      ).toMatchObject({
        status: 404,
        body: { key: 'not_found', resource_type: type, resource_id: 'none' },
      });
    const name = await campaign();
    const body = { related_object_type: 'campaign', related_object_id: name };
    expect(await call('POST', '/v1/validation-rules/val_none/assignments', body)).toMatchObject({
      status: 404,
      body: { details: 'Cannot find validation_rules with id val_none' },
    });
    expect(await call('DELETE', `${path}/asgm_none`)).toMatchObject({
      status: 404,
      body: { details: 'Cannot find validation_rules_assignment with id asgm_none' },
    });
    expect((await call('GET', '/v1/validation-rules/val_none/assignments')).body).toMatchObject({ total: 0 });
  });

  it('are listed in each order, and by the time of their creation', async () => {
    const [first, second] = [await create({ name: 'list a' }), await create({ name: 'list b' })];
    const listed = async (query: string) => {
      const { body } = await call('GET', `/v1/validation-rules?limit=100&${query}`);
      const ids = (body as { data: Json[] }).data.map(({ id }) => id);
      return ids.filter((id) => id === first.id || id === second.id);
    };
    expect(await listed('')).toEqual([second.id, first.id]);
    expect(await listed('order=name')).toEqual([first.id, second.id]);
    expect(await listed(`start_date=${second.created_at as string}`)).toEqual([second.id]);
    expect(await listed(`end_date=${second.created_at as string}`)).toEqual([first.id]);
  });
});
