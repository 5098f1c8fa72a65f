import type { VoucherTemplate } from '@scrip/contracts/campaigns';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from './voucher-template';
import { voucherAggregate } from './voucher.aggregate';
import { voucherOf } from './voucher.decider';

const own = { id: 'v_1', code: 'A', created_at: '2026-03-01T00:00:00.000Z' };
const template = voucherTemplateOf(campaignSnapshot());

/** What is read of the row that a voucher is stored in. */
const storedAndRead = (definition: VoucherTemplate, changes: Partial<VoucherTemplate>) => {
  const voucher = { ...voucherOf(definition, own), ...changes };
  const revision = { revision: 1, template: definition, parted: false, ownFields: [] };
  const state = voucherAggregate.toRow!({ voucher, code_key: 'A', definition: revision });
  const row = {
    ...own,
    created_at: new Date(own.created_at),
    code_key: 'A',
    state: JSON.parse(JSON.stringify(state)) as unknown,
    template: definition,
    definition_revision: 1,
    parted: false,
  };
  return { state, voucher, read: voucherAggregate.fromRow!(row)?.voucher };
};

describe('the row of a generated voucher', () => {
  it('is empty where the voucher is as its definition says', () => {
    expect(storedAndRead(template, {}).state).toEqual({ voucher: {} });
  });

  it('keeps a field that its definition, made by an older release, does not have', () => {
    const { additional_info: _, ...older } = template;
    const { state, voucher, read } = storedAndRead(older as VoucherTemplate, { additional_info: 'new' });
    expect(state).toEqual({ voucher: { additional_info: 'new' } });
    expect(read).toEqual(voucher);
  });
});
