import { projectOf } from '@scrip/testing';
import type { CampaignSetupBody, TierSetupBody } from './template.dto';
import { templateSnapshot } from './template.fixture';
import { draftOfTemplate, tierFieldsOfTemplate } from './template-setup';

const project = projectOf({ timezone: 'Europe/Warsaw' });
const template = templateSnapshot();
const draft = (sent: Partial<CampaignSetupBody> = {}) =>
  draftOfTemplate(template, { name: 'Made', ...sent }, project);
const fields = (sent: Partial<TierSetupBody> = {}, of = template) =>
  tierFieldsOfTemplate(of, { campaign_id: 'Weekdays', name: 'Made', ...sent });

describe('a campaign of a template', () => {
  it('has what the template has, and no codes', () => {
    expect(draft()).toMatchObject({
      body: {
        name: 'Made',
        description: null,
        start_date: '2026-03-01T00:00:00.000Z',
        use_voucher_metadata_schema: true,
        metadata: { season: 'spring' },
      },
      kind: 'DISCOUNT_COUPONS',
      settings: { join_once: false, auto_join: false },
      voucher: template.content.voucher,
      type: 'STATIC',
      count: 0,
      code: null,
    });
  });

  it('has what is sent in place of it, and null clears', () => {
    const made = draft({
      description: 'Sent',
      type: 'AUTO_UPDATE',
      join_once: true,
      vouchers_count: 7,
      start_date: null,
      metadata: {},
      voucher: { code_config: { pattern: 'AB-##' }, redemption: { quantity: null } },
    });
    expect(made).toMatchObject({
      body: { description: 'Sent', start_date: null, metadata: {} },
      settings: { join_once: true },
      voucher: {
        discount: { type: 'PERCENT', percent_off: 10 },
        redemption: { quantity: null },
        code_config: { length: 2, pattern: 'AB-##' },
      },
      type: 'AUTO_UPDATE',
      count: 7,
    });
    expect(made).not.toMatchObject({ voucher: { code_config: { charset: '0123456789' } } });
  });

  it('keeps the uses of a code where only its spelling is sent', () => {
    expect(draft({ voucher: { code_config: { length: 3 } } })).toMatchObject({
      voucher: { redemption: { quantity: 5 }, code_config: { length: 3 } },
    });
  });

  it('has one code that is made where it is generic', () => {
    expect(draft({ type: 'STANDALONE', vouchers_count: 50 })).toMatchObject({
      type: 'STANDALONE',
      count: 1,
      code: null,
    });
  });

  it.each([
    [{ vouchers_count: 100_001 }, 'invalid_campaign', 'A campaign holds at most 100000 codes.'],
    [
      { expiration_date: '2026-02-01T00:00:00.000Z' },
      'invalid_payload',
      'Property .expiration_date must not be before .start_date (2026-03-01T00:00:00.000Z)',
    ],
    [
      { category: 'A', category_id: 'cat_1' },
      'invalid_payload',
      'Only one of .category and .category_id can be given',
    ],
    [
      { voucher: { code_config: { length: 600 } } },
      'invalid_code_config',
      'Codes must have 1 to 512 characters.',
    ],
  ])('is refused with %j', (sent, refused, details) => {
    expect(draft(sent)).toMatchObject({ refused, details });
  });

  it('takes no areas and stores', () => {
    expect(draft({ access_settings: { assign: {} } })).toMatchObject({ refused: 'missing_required_feature' });
  });
});

describe('a tier of a template', () => {
  it('has the discount and the limits of the template', () => {
    expect(fields()).toEqual({
      name: 'Made',
      banner: null,
      discount: { type: 'PERCENT', percent_off: 10 },
      metadata: { season: 'spring' },
      active: true,
      start_date: '2026-03-01T00:00:00.000Z',
      expiration_date: null,
      validity_timeframe: null,
      validity_day_of_week: null,
      validity_hours: null,
    });
  });

  it('has what is sent in place of it, and null clears', () => {
    const sent = {
      banner: 'Look',
      metadata: null,
      active: false,
      start_date: null,
      validity_day_of_week: [1],
    };
    expect(fields(sent)).toMatchObject({ ...sent, metadata: {} });
  });

  it('is refused for gift cards: campaign_type_is_not_supported_by_campaign_template', () => {
    expect(fields({}, templateSnapshot({ campaign_type: 'GIFT_VOUCHERS' }))).toEqual({
      refused: 'campaign_type_is_not_supported_by_campaign_template',
      details: 'Template camp_tpl_1 is of type GIFT_VOUCHERS; tiers are made from DISCOUNT_COUPONS.',
    });
  });

  it('is refused with a category named twice', () => {
    expect(fields({ category: 'A', category_id: 'cat_1' })).toMatchObject({ refused: 'invalid_payload' });
  });
});
