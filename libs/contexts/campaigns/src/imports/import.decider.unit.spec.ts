import type { CampaignEvent } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { type CampaignState, evolveCampaign, codesPerCampaignMax } from '../campaign/campaign.decider';
import { decideImport, type ImportCommand, roomFor } from './import.decider';

const given = givenFor<ImportCommand, CampaignState | undefined, CampaignEvent>({
  decide: decideImport,
  evolve: evolveCampaign,
  initialState: () => undefined,
});

const now = '2026-03-01T10:00:00.000Z';
const campaign = campaignSnapshot();
const created: CampaignEvent = { type: 'CampaignCreated', data: { campaign } };
const code = (n: number) => ({ id: `v_${n}`, code: `CODE-${n}` });
const imported = (async_action_id: string, ...numbers: number[]): CampaignEvent => ({
  type: 'VouchersImported',
  data: { async_action_id, definition_id: 'vd_1', vouchers: numbers.map(code), imported_at: now },
});
const importCodes = (async_action_id: string, ...numbers: number[]): ImportCommand => ({
  type: 'ImportCodes',
  async_action_id,
  definition_id: 'vd_1',
  vouchers: numbers.map(code),
  now,
});
const complete = (async_action_id: string, single_codes = 0): ImportCommand => ({
  type: 'CompleteImport',
  async_action_id,
  single_codes,
  now,
});
const added = (async_action_id: string, count: number, vouchers_count: number): CampaignEvent => ({
  type: 'CampaignVouchersAdded',
  data: { async_action_id, count, added_at: now, campaign: { ...campaign, vouchers_count } },
});
const stateAfter = (...events: CampaignEvent[]): CampaignState =>
  events.reduce<CampaignState | undefined>(evolveCampaign, undefined)!;

describe('an import into a campaign', () => {
  it('needs the campaign', () => {
    given().when(importCodes('aa_c1', 1)).thenRefused('not_found');
  });

  it('brings codes, which the campaign counts', () => {
    given(created)
      .when(importCodes('aa_c1', 1, 2))
      .then(imported('aa_c1', 1, 2));
    given(created).when(importCodes('aa_c1')).then();
    expect(stateAfter(created, imported('aa_c1', 1, 2), imported('aa_c1', 3)).generated).toBe(3);
  });

  it('is told once, with all that it brought', () => {
    const before = [created, imported('aa_c1', 1, 2), imported('aa_c2', 3), imported('aa_c1', 4)];
    given(...before)
      .when(complete('aa_c1', 5))
      .then(added('aa_c1', 3, 9));
    given(...before, added('aa_c1', 3, 9))
      .when(complete('aa_c1', 5))
      .then();
    given(...before, added('aa_c1', 3, 9))
      .when(complete('aa_c2'))
      .then(added('aa_c2', 1, 4));
  });

  it('is not told where it brought nothing', () => {
    given(created).when(complete('aa_c1')).then();
  });

  it('leaves a code order under way as it is, and keeps its room', () => {
    const started: CampaignEvent = {
      type: 'VoucherGenerationStarted',
      data: { async_action_id: 'aa_c9', count: 10, initial: false, started_at: now, campaign },
    };
    const generated: CampaignEvent = {
      type: 'VouchersGenerated',
      data: { async_action_id: 'aa_c9', definition_id: 'vd_9', vouchers: [code(1)], generated_at: now },
    };
    const state = stateAfter(created, started, generated, imported('aa_c1', 2, 3));
    expect(state.running).toMatchObject({ count: 10, done: 1 });
    expect(roomFor(state, 4)).toBe(codesPerCampaignMax - 1 - 9 - 2 - 4);
  });

  it('finds no room in a campaign that is full, however it came to be so', () => {
    expect(roomFor(stateAfter(created), codesPerCampaignMax - 1)).toBe(1);
    expect(roomFor(stateAfter(created), codesPerCampaignMax)).toBe(0);
    expect(roomFor(stateAfter(created), codesPerCampaignMax + 1)).toBe(0);
  });
});
