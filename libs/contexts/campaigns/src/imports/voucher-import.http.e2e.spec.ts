import { sharedScrip, type SharedScrip, taskEnds, webhookSink } from '@scrip/testing';

const percent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };

describe('imports of standalone vouchers over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    await scrip.ask('POST', '/v1/campaigns', {
      name: 'joined',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: percent,
    });
    await scrip.ask('POST', '/v1/campaigns/joined/vouchers/in-campaign', {});
  }, 240_000);

  const voucher = (code: string) => scrip.ask<any>('GET', `/v1/vouchers/${encodeURIComponent(code)}`);

  const ended = async (answer: { status: number; body: any }): Promise<any> => {
    expect([answer.status, answer.body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_c/) }]);
    const id = answer.body.async_action_id as string;
    return taskEnds(scrip, id);
  };
  const imported = async (items: unknown) =>
    ended((await scrip.call('POST', '/v1/vouchers/import', items as object)) as never);
  const upload = async (lines: readonly string[], fields: Record<string, string> = {}) =>
    ended((await scrip.upload('/v1/vouchers/importCSV', `${lines.join('\n')}\n`, fields)) as never);

  it('create vouchers without a campaign; what is missing is null, and a code that exists fails', async () => {
    const task = await imported([
      {
        code: 'alone-1',
        ...percent,
        category: 'Alone',
        active: false,
        redemption: { quantity: 2 },
        metadata: { shop: 'Rome' },
        start_date: '2030-01-01',
        expiration_date: '2030-02-01',
        additional_info: 'x',
      },
      { code: 'alone-2', gift: { amount: 5_000 } },
      { code: 'alone-2', gift: { amount: 5_000 } },
      { code: 'in-campaign', ...percent },
      { code: 'alone-3' },
      { code: 'alone-4', ...percent, start_date: '2030-01-02', expiration_date: '2030-01-01' },
    ]);
    expect(task).toMatchObject({
      type: 'VOUCHERS.IMPORT',
      status: 'DONE',
      result: {
        message: '2 voucher(s) imported successfully, 4 failed.',
        done_count: 2,
        failed_count: 4,
        failed: [
          { code: 'alone-2', reason: 'Duplicated voucher exists with id alone-2' },
          { code: 'in-campaign', reason: 'Duplicated voucher exists with id in-campaign' },
          { code: 'alone-3', reason: "Property 'type' is required" },
          {
            code: 'alone-4',
            reason: 'Property .expiration_date must not be before .start_date (2030-01-02T00:00:00.000Z)',
          },
        ],
      },
    });
    expect(await voucher('alone-1')).toMatchObject({
      campaign: null,
      campaign_id: null,
      category: 'Alone',
      active: false,
      discount: { type: 'PERCENT', percent_off: 10 },
      redemption: { quantity: 2, redeemed_quantity: 0 },
      metadata: { shop: 'Rome' },
      start_date: '2030-01-01T00:00:00.000Z',
      additional_info: 'x',
      updated_at: null,
    });
    expect(await voucher('alone-2')).toMatchObject({
      type: 'GIFT_VOUCHER',
      gift: { amount: 5_000, balance: 5_000 },
      redemption: { quantity: null },
    });
  });

  it('read files: each type of discount has its value, and money is in major units', async () => {
    const task = await upload([
      'Code,Voucher Type,Value,Discount Type,Discount Effect,Redemption Limit,Redeemed Quantity,Redeemed Amount,Additional Info,shop',
      'file-amount,DISCOUNT_VOUCHER,14.5,AMOUNT,APPLY_TO_ITEMS,3,2,,note,Rome',
      'file-percent,discount_voucher,12.5,percent,,,,,,',
      'file-fixed,DISCOUNT_VOUCHER,9.99,FIXED,,,,,,',
      'file-gift,GIFT_VOUCHER,50,,,,,12.5,,',
    ]);
    expect(task).toMatchObject({
      type: 'VOUCHERS.IMPORT_CSV',
      result: { message: '4 voucher(s) imported successfully, 0 failed.' },
    });
    expect(await voucher('file-amount')).toMatchObject({
      discount: { type: 'AMOUNT', amount_off: 1_450, effect: 'APPLY_TO_ITEMS' },
      redemption: { quantity: 3, redeemed_quantity: 2 },
      additional_info: 'note',
      metadata: { shop: 'Rome' },
      active: true,
    });
    expect((await voucher('file-percent')).discount).toMatchObject({ type: 'PERCENT', percent_off: 12.5 });
    expect((await voucher('file-percent')).redemption.quantity).toBeNull();
    expect((await voucher('file-fixed')).discount).toMatchObject({ type: 'FIXED', fixed_amount: 999 });
    expect((await voucher('file-gift')).gift).toMatchObject({ amount: 5_000, balance: 3_750 });
  });

  it('change only the switch and the category of a standalone voucher that exists', async () => {
    await upload(['Code,Voucher Type,Value,Discount Type', 'again-alone,DISCOUNT_VOUCHER,10,PERCENT']);
    const task = await upload([
      'Code,Voucher Type,Value,Discount Type,Active,Category,shop',
      'again-alone,DISCOUNT_VOUCHER,99,PERCENT,FALSE,Changed,Rome',
      'in-campaign,DISCOUNT_VOUCHER,99,PERCENT,FALSE,Changed,Rome',
    ]);
    expect(task.result.failed).toEqual([
      { code: 'in-campaign', row: 2, reason: 'Duplicated voucher exists with id in-campaign' },
    ]);
    expect(await voucher('again-alone')).toMatchObject({
      active: false,
      category: 'Changed',
      discount: { percent_off: 10 },
      metadata: {},
    });
    expect(await voucher('in-campaign')).toMatchObject({ active: true, category: null });
  });

  it('tell which rows failed, and why', async () => {
    const task = await upload([
      'Code,Voucher Type,Value,Discount Type,Discount Effect,Validation Rule ID,Redemption Limit,Active',
      ',GIFT_VOUCHER,1,,,,,',
      'bad-2,,1,,,,,',
      'bad-3,COUPON,1,,,,,',
      'bad-4,DISCOUNT_VOUCHER,1,,,,,',
      'bad-5,DISCOUNT_VOUCHER,1,HALF,,,,',
      'bad-6,DISCOUNT_VOUCHER,,PERCENT,,,,',
      'bad-7,GIFT_VOUCHER,,,,,,',
      'bad-8,GIFT_VOUCHER,1.005,,,,,',
      'bad-9,DISCOUNT_VOUCHER,101,PERCENT,,,,',
      'bad-10,DISCOUNT_VOUCHER,1,PERCENT,,val_1,,',
      'bad-13,DISCOUNT_VOUCHER,1,UNIT,,,,',
      'bad-11,DISCOUNT_VOUCHER,1,PERCENT,,,x,',
      'bad-12,DISCOUNT_VOUCHER,1,PERCENT,,,,maybe',
    ]);
    const reasons = task.result.failed.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toEqual([
      'Code is required',
      'Voucher Type is required',
      'Voucher Type must be one of DISCOUNT_VOUCHER, GIFT_VOUCHER',
      'Discount Type is required',
      'Discount Type must be one of AMOUNT, PERCENT, FIXED, UNIT',
      'Value is required',
      'Value is required',
      'Property .value must be an amount with up to two decimals, such as 14.50',
      expect.stringMatching(/^Property \.discount\.percent_off /),
      'Cannot find validation_rules with id val_1',
      'Discount Unit Type is required',
      'Property .redemption_limit must be a whole number, such as 3',
      'Property .active must be TRUE or FALSE',
    ]);
    expect(task).toMatchObject({ status: 'FAILED', operation_status: 'FAILED' });
  });

  it('bring formulas, units and rules, which hold for a voucher from its beginning on', async () => {
    const { id: rule } = await scrip.ask<any>('POST', '/v1/validation-rules', { name: 'of a file' });
    const header =
      'Code,Voucher Type,Value,Discount Type,Discount Unit Type,Discount Effect,Formula,Validation Rule ID,Active';
    const task = await upload([
      header,
      `ruled-formula,DISCOUNT_VOUCHER,10,AMOUNT,,,ORDER_AMOUNT*0.1,${rule},`,
      `ruled-units,DISCOUNT_VOUCHER,2,UNIT,prod_5h1pp1ng,ADD_NEW_ITEMS,,,`,
      `ruled-gift,GIFT_VOUCHER,5,,,,,${rule},`,
      'ruled-none,DISCOUNT_VOUCHER,10,PERCENT,,,,val_none,',
      'ruled-broken,DISCOUNT_VOUCHER,10,AMOUNT,,,ORDER_AMOUNT*,,',
      `ruled-gift,GIFT_VOUCHER,5,,,,,${rule},FALSE`,
    ]);
    expect(task.result).toMatchObject({
      done_count: 4,
      failed: [
        { code: 'ruled-none', row: 4, reason: 'Cannot find validation_rules with id val_none' },
        {
          code: 'ruled-broken',
          row: 5,
          reason: expect.stringMatching(/^Property \.discount\.amount_off_formula /),
        },
      ],
    });
    const [formula, units, gift] = await Promise.all(
      ['formula', 'units', 'gift'].map((of) => voucher(`ruled-${of}`)),
    );
    expect(formula.discount).toMatchObject({ amount_off: 1_000, amount_off_formula: 'ORDER_AMOUNT*0.1' });
    expect(units.discount).toMatchObject({
      unit_off: 2,
      unit_type: 'prod_5h1pp1ng',
      effect: 'ADD_NEW_ITEMS',
    });
    expect(units.validation_rules_assignments.total).toBe(0);
    expect(gift.active).toBe(false);
    for (const { id, validation_rules_assignments: shown } of [formula, gift])
      expect(shown.data).toMatchObject([{ rule_id: rule, related_object_id: id }]);
    const { data } = await scrip.ask<any>('GET', `/v1/validation-rules/${rule}/assignments`);
    expect(data).toHaveLength(2);
  });

  it('hold the rule of the row that creates a voucher, and none of a row of its code that failed', async () => {
    const [first, second] = await Promise.all(
      ['of a row that fails', 'of the row behind it'].map((name) =>
        scrip.ask<any>('POST', '/v1/validation-rules', { name }),
      ),
    );
    const task = await upload([
      'Code,Voucher Type,Value,Discount Type,Formula,Validation Rule ID',
      `rule-of-row,DISCOUNT_VOUCHER,10,AMOUNT,ORDER_AMOUNT*,${first.id}`,
      `rule-of-row,DISCOUNT_VOUCHER,10,AMOUNT,,${second.id}`,
      'rule-known,GIFT_VOUCHER,10,,,val_none',
      `rule-known,GIFT_VOUCHER,10,,,${second.id}`,
    ]);
    expect(task.result).toMatchObject({ done_count: 2, failed: [{ row: 1 }, { row: 3 }] });
    for (const code of ['rule-of-row', 'rule-known'])
      expect((await voucher(code)).validation_rules_assignments.data).toMatchObject([{ rule_id: second.id }]);
  });

  it('take webhooks_enable as true or false', async () => {
    const lines = 'Code,Voucher Type,Value\nhook-1,GIFT_VOUCHER,1\n';
    expect(await scrip.upload('/v1/vouchers/importCSV', lines, { webhooks_enable: 'yes' })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .webhooks_enable must be true or false' },
    });
    expect(
      await upload(['Code,Voucher Type,Value', 'hook-1,GIFT_VOUCHER,1'], { webhooks_enable: 'true' }),
    ).toMatchObject({ result: { done_count: 1 } });
  });

  it('tell of each row by webhooks where webhooks_enable says so, and of none otherwise', async () => {
    const sink = await webhookSink();
    try {
      await scrip.manage('POST', `/management/v1/projects/${scrip.credentials.project_id}/webhooks`, {
        target_url: sink.url,
        events: ['voucher.created', 'voucher.updated', 'voucher.enabled', 'voucher.disabled'],
      });
      const header = 'Code,Voucher Type,Value,Active';
      await upload([header, 'quiet-1,GIFT_VOUCHER,1,', 'quiet-2,GIFT_VOUCHER,1,']);
      await upload([header, 'quiet-1,GIFT_VOUCHER,1,FALSE']);
      await upload(
        [header, 'quiet-1,GIFT_VOUCHER,1,TRUE', 'quiet-2,GIFT_VOUCHER,1,', 'told-1,GIFT_VOUCHER,1,'],
        { webhooks_enable: 'true' },
      );
      await scrip.ask('POST', '/v1/vouchers/told-last', { ...percent });
      const told = (await sink.waitFor(4)).map((one) => {
        const { event, data } = one.json();
        return `${event.type} ${data.voucher.code}`;
      });
      expect(told.sort()).toEqual([
        'voucher.created told-1',
        'voucher.created told-last',
        'voucher.updated quiet-1',
        'voucher.updated quiet-2',
      ]);
    } finally {
      await sink.close();
    }
  });

  test.each<[unknown, object]>([
    [{}, { key: 'invalid_payload', details: 'Payload should be array' }],
    [[], { key: 'invalid_payload', details: 'Payload should NOT have fewer than 1 items' }],
    [[{}], { key: 'invalid_voucher', details: "Found 1 voucher(s) without 'code' value" }],
    [
      [{ code: 'a', active: 'x' }],
      { key: 'invalid_payload', details: 'Property [0].active should be boolean' },
    ],
  ])('refuse %j as a whole', async (items, body) => {
    expect(await scrip.call('POST', '/v1/vouchers/import', items as object)).toMatchObject({
      status: 400,
      body,
    });
  });

  it('need a file with the column of codes', async () => {
    expect(await scrip.upload('/v1/vouchers/importCSV', 'Voucher Type\nGIFT_VOUCHER\n')).toMatchObject({
      status: 400,
      body: { details: 'Property .file must have the column Code' },
    });
    expect(await scrip.call('POST', '/v1/vouchers/importCSV', {})).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: "Payload should have required property 'file'" },
    });
  });
});
