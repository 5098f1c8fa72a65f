import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { evolveVoucher, voucherOf, type VoucherState } from '../voucher/voucher.decider';
import { decideVoucherDeletion, type DeleteVoucher, type PurgeVoucher } from './voucher-deletion.decider';

const given = givenFor<DeleteVoucher | PurgeVoucher, VoucherState | undefined, VoucherEvent>({
  decide: decideVoucherDeletion,
  evolve: evolveVoucher,
  initialState: () => undefined,
});

const now = '2026-03-03T10:00:00.000Z';
const campaign = campaignSnapshot();
const own = { id: 'v_1', code: 'Spring', created_at: '2026-03-01T00:00:00.000Z' };
const voucher = voucherOf(voucherTemplateOf(campaign), own);
const code_key = 'spring';
const created: VoucherEvent = {
  type: 'VoucherCreated',
  data: { voucher, code_key, campaign, addition: true },
};
const deleted = (permanent: boolean): VoucherEvent => ({
  type: 'VoucherDeleted',
  data: { voucher, campaign, permanent, deleted_at: now },
});
const purged: VoucherEvent = {
  type: 'VoucherPurged',
  data: { code: 'Spring', campaign_id: 'camp_1', purged_at: now },
};
const remove = (permanent: boolean): DeleteVoucher => ({
  type: 'DeleteVoucher',
  id: 'v_1',
  campaign,
  permanent,
  now,
});
const purge: PurgeVoucher = { type: 'PurgeVoucher', id: 'v_1', now };
const use = { redemption_id: 'r_1', claim_id: 'cl_1' };
const unknown = { resourceId: 'v_1', resourceType: 'voucher' };

describe('a voucher that is deleted', () => {
  it('into the bin keeps its code', () => {
    given(created).when(remove(false)).then(deleted(false));
    given(created).when(remove(false)).thenState({ voucher, code_key, deleted_at: now });
  });

  it('for good frees its code', () => {
    given(created).when(remove(true)).then(deleted(true));
    given(created).when(remove(true)).thenState({ voucher, code_key: null, deleted_at: now });
  });

  it.each([remove(false), remove(true)])('is not found any more', (again) => {
    given(created, deleted(false)).when(again).thenRefused('not_found', unknown);
    given(created, deleted(true)).when(again).thenRefused('not_found', unknown);
    given().when(again).thenRefused('not_found', unknown);
  });

  it('stays deleted when a use comes back', () => {
    const consumed: VoucherEvent = {
      type: 'VoucherQuantityConsumed',
      data: { ...use, redeemed_quantity: 1, consumed_at: now },
    };
    const restored: VoucherEvent = {
      type: 'VoucherQuantityRestored',
      data: { ...use, redeemed_quantity: 0, cause: 'ROLLED_BACK', restored_at: now },
    };
    given(created, consumed, deleted(true), restored).when(remove(true)).thenRefused('not_found');
    given(created, consumed, deleted(false), restored)
      .when(purge)
      .thenState({ voucher: { ...voucher, updated_at: now }, code_key: null, deleted_at: now });
  });
});

describe('a voucher in the bin', () => {
  it('is purged once, and its code is free', () => {
    given(created, deleted(false)).when(purge).then(purged);
    given(created, deleted(false)).when(purge).thenState({ voucher, code_key: null, deleted_at: now });
    given(created, deleted(false), purged).when(purge).thenRefused('not_found', unknown);
  });

  it.each([
    ['is live', [created]],
    ['was deleted for good', [created, deleted(true)]],
    ['does not exist', []],
  ])('is none where it %s', (_, past) => {
    given(...past)
      .when(purge)
      .thenRefused('not_found', unknown);
  });
});
