import type { HolderSnapshot } from '@scrip/contracts/campaigns';
import { isRefused } from '@scrip/kernel';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { voucherOf } from '../voucher/voucher.decider';
import { assignReferees, type AssignReferees, namedOnce, unassignReferee } from './referee.decider';

const now = '2026-03-10T10:00:00.000Z';
const campaign = campaignSnapshot({ campaign_type: 'REFERRAL_PROGRAM' });
const voucher = {
  ...voucherOf(voucherTemplateOf(campaign), { id: 'v_1', code: 'FRIEND', created_at: now }),
  is_referral_code: true,
};
const code = { publication_id: 'pub_1', voucher, campaign };
const holder = (role: HolderSnapshot['role'], customer_id: string, id: string): HolderSnapshot => ({
  id,
  voucher_id: 'v_1',
  customer_id,
  role,
  publication_id: 'pub_1',
  campaign_id: campaign.id,
  campaign_type: 'REFERRAL_PROGRAM',
  voucher_type: voucher.type,
  created_at: now,
});
const referrer = holder('REFERRER', 'cust_ref', 'rh_0');
const bea = holder('REFEREE', 'cust_bea', 'rh_1');
const assigning = (...customers: string[]): AssignReferees => ({
  ...code,
  referees: customers.map((customer_id, place) => ({ customer_id, holder_id: `rh_${place + 1}` })),
  metadata: {},
  now,
});
const assigned = (command: AssignReferees, existing: HolderSnapshot[]) => {
  const events = assignReferees(command, existing);
  return isRefused(events) ? events.refused : events.map(({ data }) => data.holder);
};

describe('assigning referees', () => {
  it('gives each customer an entry, with what the call said', () => {
    expect(assigned({ ...assigning('cust_bea'), metadata: { party: 'spring' } }, [])).toEqual([
      { ...bea, metadata: { party: 'spring' } },
    ]);
    expect(assigned(assigning('cust_bea', 'cust_cid'), [referrer])).toEqual([
      bea,
      holder('REFEREE', 'cust_cid', 'rh_2'),
    ]);
  });

  test.each([
    ['the referrer', 'cust_ref', [referrer]],
    ['a referee', 'cust_bea', [holder('REFEREE', 'cust_bea', 'rh_earlier')]],
  ])('refuses all where one of them is %s', (_, customer, existing) => {
    expect(assigned(assigning('cust_cid', customer), existing)).toBe('holder_assignement_duplication');
  });

  it('refuses a customer who is named twice, before all else', () => {
    expect(assigned(assigning('cust_ref', 'cust_ref'), [referrer])).toBe('duplicate_found');
    expect(namedOnce(['', '', 'ada', 'bea', 'bea'])).toMatchObject({
      refused: 'duplicate_found',
      resourceId: 'bea',
      resourceType: 'customer',
    });
    expect(namedOnce(['', ''])).toBeNull();
  });

  it('tells nothing again of what the same call assigned before', () => {
    expect(assigned(assigning('cust_bea'), [bea])).toEqual([]);
  });
});

describe('taking a referee off', () => {
  test.each([
    ['an entry that the code does not have', null, 'not_found'],
    ['the referrer', referrer, 'forbidden'],
    ['an owner', holder('OWNER', 'cust_ref', 'rh_0'), 'forbidden'],
  ])('refuses %s', (_, found, refused) => {
    expect(unassignReferee('rh_0', found, code)).toMatchObject({ refused });
  });

  it('tells of the entry with its code', () => {
    expect(unassignReferee('rh_1', bea, code)).toEqual({
      type: 'HolderUnassigned',
      data: { holder: bea, voucher, campaign },
    });
  });
});
