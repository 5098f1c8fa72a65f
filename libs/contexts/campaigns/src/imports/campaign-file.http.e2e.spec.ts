import { sharedScrip, type SharedScrip, taskEnds } from '@scrip/testing';

const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };

describe('files of codes for campaigns over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const campaign = (name: string, fields: object = {}) =>
    scrip.ask<any>('POST', '/v1/campaigns', {
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: discount,
      ...fields,
    });
  const voucher = (code: string) => scrip.ask<any>('GET', `/v1/vouchers/${encodeURIComponent(code)}`);
  const upload = (name: string, lines: readonly string[], fields: Record<string, string> = {}) =>
    scrip.upload(`/v1/campaigns/${name}/importCSV`, `${lines.join('\r\n')}\r\n`, fields);

  const imported = async (name: string, lines: readonly string[], fields = {}): Promise<any> => {
    const answer = await upload(name, lines, fields);
    expect([answer.status, answer.body]).toEqual([200, { async_action_id: expect.stringMatching(/^aa_c/) }]);
    const id = (answer.body as { async_action_id: string }).async_action_id;
    return taskEnds(scrip, id);
  };

  it('bring codes with what their cells say; other columns are metadata', async () => {
    const { id } = await campaign('file-1', { metadata: { season: 'spring' } });
    const task = await imported('file-1', [
      '\uFEFFcode, ACTIVE ,Category,Start_Date,expiration date,Redeemed Quantity,shop',
      'csv-1,,,,,,',
      '"csv,2",false,Paper,2030-01-01,2030-02-01T10:00:00Z,3,Rome',
    ]);
    expect(task).toMatchObject({
      type: 'CAMPAIGN.VOUCHERS_IMPORT_CSV',
      status: 'DONE',
      operation_status: 'SUCCESS',
      result: { message: '2 voucher(s) imported successfully, 0 failed.', done_count: 2, failed_count: 0 },
    });
    expect(await voucher('csv-1')).toMatchObject({
      campaign_id: id,
      active: true,
      category: null,
      metadata: { season: 'spring' },
      redemption: { redeemed_quantity: 0 },
    });
    expect(await voucher('csv,2')).toMatchObject({
      active: false,
      category: 'Paper',
      start_date: '2030-01-01T00:00:00.000Z',
      expiration_date: '2030-02-01T10:00:00.000Z',
      metadata: { season: 'spring', shop: 'Rome' },
      redemption: { redeemed_quantity: 3 },
    });
    expect((await scrip.ask<any>('GET', '/v1/campaigns/file-1')).vouchers_count).toBe(2);
  });

  it('bring codes that are not active where the campaign has expired', async () => {
    await campaign('file-2', { expiration_date: '2020-01-01' });
    await imported('file-2', ['Code,Active', 'expired-1,', 'expired-2,TRUE']);
    expect((await voucher('expired-1')).active).toBe(false);
    expect((await voucher('expired-2')).active).toBe(true);
  });

  it('change only the switch and the category of codes that the campaign has', async () => {
    await campaign('file-3');
    await imported('file-3', ['Code,shop', 'again-1,Rome', 'again-2,']);
    const task = await imported('file-3', [
      'Code,Active,Category,Expiration Date,shop,Redeemed Quantity',
      'again-1,FALSE,Changed,2030-01-01,Paris,9',
      'again-3,,,,,',
      'again-3,FALSE,Changed,2031-01-01,Paris,',
      'again-2,,,,,',
    ]);
    expect(task.result).toMatchObject({ done_count: 4, failed_count: 0 });
    expect(await voucher('again-1')).toMatchObject({
      active: false,
      category: 'Changed',
      expiration_date: null,
      metadata: { shop: 'Rome' },
      redemption: { redeemed_quantity: 0 },
      updated_at: expect.any(String),
    });
    expect(await voucher('again-2')).toMatchObject({ active: true, updated_at: null });
    expect(await voucher('again-3')).toMatchObject({
      active: false,
      category: 'Changed',
      expiration_date: null,
      metadata: {},
    });
    expect((await scrip.ask<any>('GET', '/v1/campaigns/file-3')).vouchers_count).toBe(3);
  });

  it('tell which rows failed, and why', async () => {
    await campaign('file-4', {
      start_date: '2030-01-01',
      voucher: { ...discount, redemption: { quantity: 2 } },
    });
    await campaign('file-5');
    await scrip.ask('POST', '/v1/campaigns/file-5/vouchers/elsewhere', {});
    const task = await imported('file-4', [
      'Code,Active,Expiration Date,Redeemed Quantity,Redeemed Amount,Loyalty Points,Gift Amount',
      'row-1,,,,,,',
      ',TRUE,,,,,',
      'elsewhere,,,,,,',
      'row-4,maybe,,,,,',
      'row-5,,yesterday,,,,',
      'row-6,,2029-01-01,,,,',
      'row-7,,,1.5,,,',
      'row-8,,,3,,,',
      'row-9,,,,1.005,,',
      'row-10,,,,1.00,,',
      'row-11,,,,,many,',
      'row-12,',
      'row-13,,,,,,ten',
    ]);
    expect(task.result).toMatchObject({
      message: '1 voucher(s) imported successfully, 12 failed.',
      done_count: 1,
      failed_count: 12,
    });
    const report = await (await fetch(task.result.reports[0])).text();
    expect(report).toContain('code,row,found,updated,error\r\n');
    expect(report).toMatch(/\r\n,2,false,false,.*Code is required/);
    expect(task.result.failed).toEqual([
      { row: 2, reason: 'Code is required' },
      { code: 'elsewhere', row: 3, reason: 'Duplicated voucher exists with id elsewhere' },
      { code: 'row-4', row: 4, reason: 'Property .active must be TRUE or FALSE' },
      { code: 'row-5', row: 5, reason: expect.stringMatching(/^Property \.expiration_date /) },
      {
        code: 'row-6',
        row: 6,
        reason: 'Property .expiration_date must not be before .start_date (2030-01-01T00:00:00.000Z)',
      },
      { code: 'row-7', row: 7, reason: 'Property .redeemed_quantity must be a whole number, such as 3' },
      {
        code: 'row-8',
        row: 8,
        reason: 'Property .redemption.redeemed_quantity must not be above .redemption.quantity (2)',
      },
      {
        code: 'row-9',
        row: 9,
        reason: 'Property .redeemed_amount must be an amount with up to two decimals, such as 14.50',
      },
      {
        code: 'row-10',
        row: 10,
        reason: 'Property .redemption.redeemed_amount is only allowed for gift cards',
      },
      { code: 'row-11', row: 11, reason: 'Property .loyalty_points must be a whole number, such as 3' },
      { code: 'row-12', row: 12, reason: 'The row has another number of cells (2) than the header (7)' },
      {
        code: 'row-13',
        row: 13,
        reason: 'Property .gift_amount must be an amount with up to two decimals, such as 14.50',
      },
    ]);
  });

  it('bring gift cards with amounts in major units', async () => {
    await campaign('file-6', {
      campaign_type: 'GIFT_VOUCHERS',
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 5_000 } },
    });
    await imported('file-6', [
      'Code,Gift Amount,Redeemed Amount',
      'gift-1,,',
      'gift-2,14.5,',
      'gift-3,20,5.25',
    ]);
    expect((await voucher('gift-1')).gift).toMatchObject({ amount: 5_000, balance: 5_000 });
    expect((await voucher('gift-2')).gift).toMatchObject({ amount: 1_450, balance: 1_450 });
    expect((await voucher('gift-3')).gift).toMatchObject({ amount: 2_000, balance: 1_475 });
  });

  it('may be tried', async () => {
    await campaign('file-7');
    const task = await imported('file-7', ['Code,Category', 'tried-1,Tried', 'tried-1,', ',', 'tried-2,'], {
      dry_run: 'true',
    });
    expect(task.result.message).toBe('Dry run: 3 voucher(s) can be imported, 0 cannot.');
    expect((await scrip.call('GET', '/v1/vouchers/tried-1')).status).toBe(404);
    expect((await scrip.ask<any>('GET', '/v1/campaigns/file-7')).vouchers_count).toBe(0);
  });

  it('are refused as a whole without the column of codes, without a file, and for campaigns that take none', async () => {
    await campaign('file-8');
    expect(await upload('file-8', ['Category', 'a'])).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .file must have the column Code' },
    });
    expect(await scrip.call('POST', '/v1/campaigns/file-8/importCSV', {})).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: "Payload should have required property 'file'" },
    });
    await campaign('file-9', { type: 'STANDALONE', voucher: { ...discount, code: 'FILE-GENERIC' } });
    expect(await upload('file-9', ['Code', 'a'])).toMatchObject({
      status: 400,
      body: { details: 'You can not import vouchers to STANDALONE type campaign.' },
    });
    expect((await upload('unknown', ['Code', 'a'])).status).toBe(404);
  });
});
