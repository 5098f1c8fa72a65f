import type { CampaignEvent } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import { type CampaignState, decideCampaign, evolveCampaign } from '../campaign/campaign.decider';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { decideCampaignDeletion, type DeleteCampaign, type PurgeCampaign } from './campaign-deletion.decider';

const given = givenFor<DeleteCampaign | PurgeCampaign, CampaignState | undefined, CampaignEvent>({
  decide: decideCampaignDeletion,
  evolve: evolveCampaign,
  initialState: () => undefined,
});

const now = '2026-03-03T10:00:00.000Z';
const campaign = campaignSnapshot();
const created: CampaignEvent = { type: 'CampaignCreated', data: { campaign } };
const deleted = (permanent: boolean, count = 0): CampaignEvent => ({
  type: 'CampaignDeleted',
  data: { campaign: { ...campaign, vouchers_count: count }, permanent, deleted_at: now },
});
const purged: CampaignEvent = { type: 'CampaignPurged', data: { name: 'Spring', purged_at: now } };
const remove = (permanent: boolean, single_codes = 0): DeleteCampaign => ({
  type: 'DeleteCampaign',
  id: 'camp_1',
  permanent,
  single_codes,
  now,
});
const purge: PurgeCampaign = { type: 'PurgeCampaign', id: 'camp_1', now };
const unknown = { resourceId: 'camp_1', resourceType: 'campaign' };

describe('a campaign that is deleted', () => {
  it.each([true, false])('says all its codes (for good: %s)', (permanent) => {
    given(created).when(remove(permanent, 2)).then(deleted(permanent, 2));
  });

  it('counts as changed, so that no use goes by what it was', () => {
    given(created)
      .when(remove(false))
      .thenState({ campaign, revision: 1, generated: 0, running: null, ended: null, deleted_at: now });
  });

  it.each([false, true])('is not found any more (for good: %s)', (permanent) => {
    given(created, deleted(permanent)).when(remove(true)).thenRefused('not_found', unknown);
    given().when(remove(permanent)).thenRefused('not_found', unknown);
  });

  it('takes no code order and no switch', () => {
    const state = [created, deleted(false)].reduce<CampaignState | undefined>(evolveCampaign, undefined);
    const order = { async_action_id: 'aa_c1', count: 1, initial: false, single_codes: 0, now };
    expect(decideCampaign({ type: 'StartGeneration', ...order }, state)).toMatchObject({
      refused: 'not_found',
      details: 'The campaign does not exist any more.',
    });
    expect(
      decideCampaign({ type: 'SwitchCampaign', active: false, single_codes: 0, now }, state),
    ).toMatchObject({ refused: 'not_found' });
  });
});

describe('a campaign in the bin', () => {
  it('is purged once', () => {
    given(created, deleted(false)).when(purge).then(purged);
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
