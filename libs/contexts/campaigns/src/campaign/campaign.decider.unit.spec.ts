import type { CampaignEvent } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import {
  type CampaignCommand,
  type CampaignState,
  decideCampaign,
  evolveCampaign,
  codesPerCampaignMax,
  withAllCodes,
} from './campaign.decider';
import { campaignSnapshot } from './campaign.fixture';

const given = givenFor<CampaignCommand, CampaignState | undefined, CampaignEvent>({
  decide: decideCampaign,
  evolve: evolveCampaign,
  initialState: () => undefined,
});

const now = '2026-03-01T10:00:00.000Z';
const created: CampaignEvent = { type: 'CampaignCreated', data: { campaign: campaignSnapshot() } };
const codeOrder = { async_action_id: 'aa_c1', count: 3, initial: true };
const started = (fields: Partial<typeof codeOrder> = {}): CampaignEvent => ({
  type: 'VoucherGenerationStarted',
  data: {
    ...codeOrder,
    ...fields,
    started_at: now,
    campaign: campaignSnapshot({
      updated_at: now,
      ...(fields.initial === false ? { creation_status: 'DONE' } : {}),
    }),
  },
});
const code = (n: number) => ({ id: `v_${n}`, code: `CODE-${n}` });
const generated = (...numbers: number[]): CampaignEvent => ({
  type: 'VouchersGenerated',
  data: { async_action_id: 'aa_c1', definition_id: 'vd_1', vouchers: numbers.map(code), generated_at: now },
});
const start = { type: 'StartGeneration' as const, ...codeOrder, single_codes: 0, now };
const store = (...numbers: number[]) => ({
  type: 'StoreCodes' as const,
  async_action_id: 'aa_c1',
  definition_id: 'vd_1',
  vouchers: numbers.map(code),
  now,
});
const complete = { type: 'CompleteGeneration' as const, async_action_id: 'aa_c1', single_codes: 0, now };
const done = { creation_status: 'DONE', vouchers_generation_status: 'DONE', updated_at: now } as const;

describe('the switch of a campaign', () => {
  const turn = (active: boolean) => ({ type: 'SwitchCampaign' as const, active, single_codes: 2, now });
  const off = campaignSnapshot({ active: false, vouchers_count: 2, updated_at: now });
  const disabled: CampaignEvent = { type: 'CampaignDisabled', data: { disabled_at: now, campaign: off } };

  it('is turned, and told with all codes of the campaign', () => {
    given(created).when(turn(false)).then(disabled);
    given(created, disabled)
      .when(turn(true))
      .then({ type: 'CampaignEnabled', data: { enabled_at: now, campaign: { ...off, active: true } } });
  });

  it('that stands so already is told to nobody', () => {
    given(created).when(turn(true)).then();
    given(created, disabled).when(turn(false)).then();
  });

  it('turned raises the revision that uses rest on', () => {
    expect([created, disabled].reduce<CampaignState | undefined>(evolveCampaign, undefined)?.revision).toBe(
      1,
    );
  });
});

describe('a campaign', () => {
  it('is created once', () => {
    given().when({ type: 'CreateCampaign', campaign: campaignSnapshot() }).then(created);
    given(created).when({ type: 'CreateCampaign', campaign: campaignSnapshot() }).then();
  });

  it('starts a code order once', () => {
    given(created).when(start).then(started());
    given(created, started()).when(start).then();
  });

  it('does not start what has ended', () => {
    const ended: CampaignEvent = {
      type: 'VoucherGenerationFailed',
      data: { ...codeOrder, error: 'none left', failed_at: now, campaign: campaignSnapshot() },
    };
    given(created, started(), ended).when(start).then();
  });

  test.each([
    [codesPerCampaignMax - 1, 1, 0, 'accepted'],
    [codesPerCampaignMax, 1, 0, 'refused'],
    [codesPerCampaignMax - 1, 0, 1, 'accepted'],
    [codesPerCampaignMax - 1, 0, 2, 'refused'],
  ])(
    'a code order of %d codes beside %d generated and %d single ones is %s',
    (count, before, single_codes, expected) => {
      const past: CampaignEvent[] = [
        created,
        started({ async_action_id: 'aa_c0' }),
        ...(before ? [generated(0)] : []),
      ];
      const ended: CampaignEvent = {
        type: 'VoucherGenerationCompleted',
        data: {
          async_action_id: 'aa_c0',
          count: before,
          initial: true,
          completed_at: now,
          campaign: campaignSnapshot(),
        },
      };
      const outcome = given(...past, ended).when({ ...start, count, single_codes });
      if (expected === 'refused') outcome.thenRefused('invalid_campaign');
      else {
        const campaign = campaignSnapshot({ vouchers_count: before + single_codes, updated_at: now });
        outcome.then({
          type: 'VoucherGenerationStarted',
          data: { ...codeOrder, count, started_at: now, campaign },
        });
      }
    },
  );

  it('takes no more codes than were ordered', () => {
    given(created, started()).when(store(1, 2)).then(generated(1, 2));
    given(created, started(), generated(1, 2))
      .when(store(3, 4, 5))
      .then(generated(3));
    given(created, started(), generated(1, 2, 3))
      .when(store(4))
      .then();
  });

  it('takes no codes for another code order than the running one', () => {
    given(created).when(store(1)).then();
    given(created, started({ async_action_id: 'aa_c2' }))
      .when(store(1))
      .then();
  });

  it('is done when its first code order is, with every code counted', () => {
    given(created, started(), generated(1, 2, 3))
      .when({ ...complete, single_codes: 2 })
      .then({
        type: 'VoucherGenerationCompleted',
        data: {
          async_action_id: 'aa_c1',
          count: 3,
          initial: true,
          completed_at: now,
          campaign: campaignSnapshot({ ...done, vouchers_count: 5 }),
        },
      });
  });

  it('tells of codes added later', () => {
    const campaign = campaignSnapshot({ ...done, vouchers_count: 1 });
    given(created, started({ count: 1, initial: false }), generated(1))
      .when(complete)
      .then(
        {
          type: 'VoucherGenerationCompleted',
          data: { async_action_id: 'aa_c1', count: 1, initial: false, completed_at: now, campaign },
        },
        {
          type: 'CampaignVouchersAdded',
          data: { async_action_id: 'aa_c1', count: 1, added_at: now, campaign },
        },
      );
  });

  it('counts what could not be made', () => {
    const fail = { ...complete, type: 'FailGeneration' as const, error: 'none left' };
    given(created, started(), generated(1))
      .when(fail)
      .then({
        type: 'VoucherGenerationFailed',
        data: {
          async_action_id: 'aa_c1',
          count: 1,
          error: 'none left',
          initial: true,
          failed_at: now,
          campaign: campaignSnapshot({
            creation_status: 'FAILED',
            vouchers_generation_status: 'FAILED',
            updated_at: now,
            vouchers_count: 1,
            vouchers_count_invalid: 2,
          }),
        },
      });
  });

  it('stays created when codes added later fail', () => {
    const failed = decideCampaign(
      { type: 'FailGeneration', async_action_id: 'aa_c1', single_codes: 0, error: 'none left', now },
      [created, started({ initial: false })].reduce(evolveCampaign, undefined as CampaignState | undefined),
    );
    expect(failed).toMatchObject([
      { data: { campaign: { creation_status: 'DONE', vouchers_generation_status: 'FAILED' } } },
    ]);
  });

  it('ends a code order once', () => {
    const completed: CampaignEvent = {
      type: 'VoucherGenerationCompleted',
      data: {
        async_action_id: 'aa_c1',
        count: 3,
        initial: true,
        completed_at: now,
        campaign: campaignSnapshot(done),
      },
    };
    given(created, started(), generated(1, 2, 3), completed)
      .when(complete)
      .then();
  });

  it('does not exist before it is created', () => {
    given().when(start).thenRefused('not_found');
  });

  it('shows all its codes', () => {
    const state = [created, started(), generated(1, 2)].reduce(
      evolveCampaign,
      undefined as CampaignState | undefined,
    )!;
    expect(withAllCodes(state, 3).vouchers_count).toBe(5);
  });
});
