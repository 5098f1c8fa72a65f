import type { VoucherEvent } from '@scrip/contracts/campaigns';
import type { Metadata } from '@scrip/contracts/snapshot';
import { categoryFields } from '@scrip/incentives';
import { refuse } from '@scrip/kernel';
import { givenFor } from '@scrip/testing';
import { evolveVoucher, type VoucherState } from '../voucher.decider';
import { voucherSnapshot } from '../voucher.fixture';
import { decideEditing, type EditingCommand, type VoucherChanges } from './editing.decider';

const given = givenFor<EditingCommand, VoucherState | undefined, VoucherEvent>({
  decide: decideEditing,
  evolve: evolveVoucher,
  initialState: () => undefined,
});

const now = '2026-03-01T10:00:00.000Z';
const at = { id: 'v_1', campaign: null, now };
const created = (fields: Parameters<typeof voucherSnapshot>[0] = {}): VoucherEvent => ({
  type: 'VoucherCreated',
  data: { voucher: voucherSnapshot(fields), code_key: 'CODE', campaign: null, addition: false },
});
const update = (changes: VoucherChanges): EditingCommand => ({
  type: 'UpdateVoucher',
  changes,
  bulk: false,
  ...at,
});
const updated = (fields: Parameters<typeof voucherSnapshot>[0]): VoucherEvent => ({
  type: 'VoucherUpdated',
  data: {
    voucher: voucherSnapshot({ ...fields, updated_at: now }),
    campaign: null,
    bulk: false,
    notify: true,
  },
});
const enable: EditingCommand = { type: 'EnableVoucher', ...at };
const disable: EditingCommand = { type: 'DisableVoucher', ...at };
const category = (id: string, hierarchy: number) =>
  categoryFields({ id, name: id, hierarchy, object: 'category', created_at: now });
const uses = { quantity: null, redeemed_quantity: 1 };
const switched = (
  type: 'VoucherEnabled' | 'VoucherDisabled',
  fields: Parameters<typeof voucherSnapshot>[0] = {},
): VoucherEvent => ({
  type,
  data: {
    voucher: voucherSnapshot({ ...fields, active: type === 'VoucherEnabled', updated_at: now }),
    campaign: null,
  },
});

describe('changing a voucher', () => {
  it('keeps what was not sent, and clears what is null', () => {
    given(created({ additional_info: 'gate 4', expiration_date: '2027-01-01T00:00:00.000Z' }))
      .when(update({ expiration_date: null, start_date: '2026-01-01T00:00:00.000Z' }))
      .then(updated({ additional_info: 'gate 4', start_date: '2026-01-01T00:00:00.000Z' }));
  });

  it('takes another category whole, and none that it has, whatever was noted of it', () => {
    const noted = category('cat_1', 1);
    given(created(noted))
      .when(update(category('cat_1', 2)))
      .then();
    given(created(noted))
      .when(update({ ...category('cat_1', 2), additional_info: 'gate 4' }))
      .then(updated({ ...noted, additional_info: 'gate 4' }));
    given(created(noted))
      .when(update(category('cat_2', 2)))
      .then(updated(category('cat_2', 2)));
    given(created(noted))
      .when(update(categoryFields(null)))
      .then(updated({}));
  });

  it('merges metadata by key, and stores null', () => {
    given(created({ metadata: { a: 1, b: { c: 2 } } }))
      .when(update({ metadata: { a: null, b: { d: 3 } } }))
      .then(updated({ metadata: { a: null, b: { d: 3 } } }));
  });

  it('clears metadata by null, as far as their schema allows', () => {
    given(created({ metadata: { a: 1 } }))
      .when(update({ metadata: null }))
      .then(updated({ metadata: {} }));
    const check = (metadata: Metadata) =>
      'a' in metadata ? null : refuse('metadata_validation_failed', 'a is required');
    given(created({ metadata: { a: 1 } }))
      .when({ ...update({ metadata: null }), check } as EditingCommand)
      .thenRefused('metadata_validation_failed', { details: 'a is required' });
  });

  it('changes the discount, within its type', () => {
    given(created())
      .when(update({ discount: { type: 'PERCENT', percent_off: 20 } }))
      .then(updated({ discount: { type: 'PERCENT', percent_off: 20 } }));
    given(created())
      .when(update({ discount: { type: 'AMOUNT', amount_off: 100 } }))
      .thenRefused('invalid_voucher', { details: 'It is not possible to change Voucher discount type' });
    given(created())
      .when(update({ discount: null }))
      .thenRefused('invalid_voucher', {
        details: "Property 'discount' is required for DISCOUNT_VOUCHER voucher",
      });
  });

  it('ignores a discount of a voucher that gives none', () => {
    const gift = { amount: 10, subtracted_amount: 0, balance: 10, effect: 'APPLY_TO_ORDER' as const };
    given(created({ type: 'GIFT_VOUCHER', discount: null, gift }))
      .when(update({ discount: { type: 'AMOUNT', amount_off: 100 } }))
      .then();
    given(created({ type: 'GIFT_VOUCHER', discount: null, gift }))
      .when(update({ discount: null }))
      .then();
  });

  it('holds windows against those that stay', () => {
    const start_date = '2026-05-01T00:00:00.000Z';
    given(created({ start_date }))
      .when(update({ expiration_date: '2026-04-30T00:00:00.000Z' }))
      .thenRefused('invalid_payload', {
        details: `Property .expiration_date must not be before .start_date (${start_date})`,
      });
    given(created({ start_date, validity_timeframe: { interval: 'P1D', duration: 'PT1H' } }))
      .when(update({ start_date: null }))
      .thenRefused('invalid_payload', { details: 'Property .validity_timeframe requires .start_date' });
    given(created({ validity_day_of_week: [1] }))
      .when(update({ validity_hours: { daily: [{ days_of_week: [1], start_time: '10:00' }] } }))
      .thenRefused('invalid_payload', {
        details:
          'Property .validity_hours cannot be combined with .validity_timeframe or .validity_day_of_week',
      });
  });

  it('does not judge windows that nobody sent', () => {
    given(created({ validity_timeframe: { interval: 'P1D', duration: 'PT1H' } }))
      .when(update({ additional_info: 'gate 4' }))
      .then(
        updated({
          validity_timeframe: { interval: 'P1D', duration: 'PT1H' },
          additional_info: 'gate 4',
        }),
      );
  });

  it('refuses metadata that break the schema', () => {
    const check = () => refuse('metadata_validation_failed', 'no');
    given(created())
      .when({ ...update({ metadata: { a: 1 } }), check } as EditingCommand)
      .thenRefused('metadata_validation_failed', { details: 'no' });
  });

  it('is no event where nothing changes', () => {
    given(created({ metadata: { a: 1 } }))
      .when(update({ metadata: { a: 1 }, active: true }))
      .then();
  });

  it('keeps the uses taken', () => {
    const consumed: VoucherEvent = {
      type: 'VoucherQuantityConsumed',
      data: { redemption_id: 'r_1', claim_id: 'cl_1', redeemed_quantity: 1, consumed_at: now },
    };
    given(created(), consumed)
      .when(update({ active: false }))
      .then(updated({ active: false, redemption: uses }), switched('VoucherDisabled', { redemption: uses }));
  });

  it('tells of a switch too, unless it is one of many, which holds what it changes only', () => {
    given(created())
      .when(update({ active: false }))
      .then(updated({ active: false }), switched('VoucherDisabled'));
    const oneOfMany = { ...update({ active: false }), bulk: true } as EditingCommand;
    given(created())
      .when(oneOfMany)
      .then({ type: 'VoucherFieldsChanged', data: { fields: { active: false }, updated_at: now } });
    given(created({ metadata: { season: 'spring' } }))
      .when({ ...oneOfMany, changes: { metadata: { shop: 'Rome' } } } as EditingCommand)
      .then({
        type: 'VoucherFieldsChanged',
        data: { fields: { metadata: { season: 'spring', shop: 'Rome' } }, updated_at: now },
      });
  });

  it('cannot be changed once it is deleted', () => {
    const deleted: VoucherEvent = {
      type: 'VoucherDeleted',
      data: { voucher: voucherSnapshot(), campaign: null, permanent: false, deleted_at: now },
    };
    for (const command of [update({ active: false }), disable, enable]) {
      given(created(), deleted)
        .when(command)
        .thenRefused('not_found', { details: 'Cannot find voucher with id v_1' });
    }
  });

  it('does not exist before it is created', () => {
    given()
      .when(update({ active: false }))
      .thenRefused('not_found', { details: 'Cannot find voucher with id v_1' });
    given().when(disable).thenRefused('not_found', { details: 'Cannot find voucher with id v_1' });
  });
});

describe('switching a voucher', () => {
  it('is an event where it changes something', () => {
    given(created()).when(disable).then(switched('VoucherDisabled'));
    given(created(), switched('VoucherDisabled')).when(enable).then(switched('VoucherEnabled'));
  });

  it('is done once', () => {
    given(created()).when(enable).then();
    given(created(), switched('VoucherDisabled')).when(disable).then();
  });
});
