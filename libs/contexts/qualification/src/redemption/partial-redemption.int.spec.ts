import { randomIds } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { ProjectSettings } from '../evaluation/project-settings';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, redeemable } from '../redeemables.fixture';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { redeemingOn, vouchers } from './redeeming.fixture';
import { RedemptionReads } from './redemption.reads';

let fixture: QualificationFixture;
const { redeem, drained, rows } = redeemingOn(() => fixture);

beforeAll(async () => {
  fixture = await startQualification('redeem_partial');
});

afterAll(() => fixture.stop());

describe('PARTIAL redeeming', () => {
  let settings: jest.SpyInstance;

  beforeAll(() => {
    const partial = { ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' as const };
    settings = jest.spyOn(fixture.get(ProjectSettings), 'stackingOf').mockResolvedValue(partial);
    fixture.campaigns.add(
      redeemable('P1', { discount: amount(100) }),
      redeemable('P2', { discount: amount(200) }),
      redeemable('OFF1', { active: false }),
      redeemable('OFF2', { expiration_date: '2026-01-01T00:00:00.000Z' }),
    );
  });
  afterAll(() => settings.mockRestore());

  /** What one request left in the database, failed redemptions by the code that they are of. */
  const leftBy = async (request: RedeemablesRequest) => {
    const before = await rows<{ id: string }>('SELECT id FROM redemptions');
    const answer: any = await redeem(request);
    const found = await rows<Record<string, string | null>>(
      `SELECT voucher_code, parent_redemption_id, failure_code, related_object_id = id AS is_alone
         FROM redemptions WHERE id <> ALL($1) AND result = 'FAILURE' ORDER BY voucher_code NULLS LAST`,
      before.map(({ id }) => id),
    );
    return { answer, failed: found.map((row) => Object.values(row)) };
  };

  it('records each redeemable that does not apply as a failed child of the stack, and none that is passed over', async () => {
    const { answer, failed } = await leftBy({
      redeemables: vouchers('OFF1', 'P1', 'NOBODY', 'P2', 'OFF2'),
      order: { amount: 1000 },
    });
    const parent = answer.parent_redemption.id;
    expect(answer.redemptions).toMatchObject([{ related_object_id: 'v_p1' }, { related_object_id: 'v_p2' }]);
    expect(answer.inapplicable_redeemables).toHaveLength(3);
    expect(failed).toEqual([
      ['OFF1', parent, 'voucher_disabled', false],
      ['OFF2', parent, 'voucher_expired', false],
      [null, parent, 'not_found', true],
    ]);
    await drained();
    const undone: any = await fixture.get(RollbackHandlers).rollBackStack(call(), parent, {}, randomIds);
    expect(undone).toMatchObject({ parent_rollback: { redemption: parent } });
    expect(undone.rollbacks).toHaveLength(2);
  });

  it('records it beside a single, which has no parent', async () => {
    const { answer, failed } = await leftBy({ redeemables: vouchers('P1', 'OFF1'), order: { amount: 1000 } });
    expect(answer).not.toHaveProperty('parent_redemption');
    expect(failed).toEqual([['OFF1', null, 'voucher_disabled', false]]);
  });

  it.each<[string[], string | null, string]>([
    [['OFF1', 'OFF2'], null, 'voucher_disabled'],
    [['OFF2'], 'OFF2', 'voucher_expired'],
  ])('of %j redeems nothing, says why not, and records one failed redemption', async (codes, about, why) => {
    const { answer, failed } = await leftBy({ redeemables: vouchers(...codes), order: { amount: 1000 } });
    expect(answer).toMatchObject({
      refused: 'no_applicable_redeemables',
      inapplicable_redeemables: codes.map((id) => ({ id, status: 'INAPPLICABLE' })),
      skipped_redeemables: [],
      resourceId: expect.stringMatching(/^rf_/),
    });
    expect(answer.redeemable_id).toBe(about ?? undefined);
    expect(failed).toEqual([[about, null, 'no_applicable_redeemables', about === null]]);
    const { redemption } = (await fixture.get(RedemptionReads).redemption(call(), answer.resourceId))!;
    expect(redemption.because).toMatchObject({ key: why });
  });

  it('says the same where an owner refuses the only one', async () => {
    fixture.campaigns.add(redeemable('PLAST', { redemption: { quantity: 1, redeemed_quantity: 1 } }));
    const { answer, failed } = await leftBy({ redeemables: vouchers('PLAST') });
    expect(answer).toMatchObject({
      refused: 'no_applicable_redeemables',
      inapplicable_redeemables: [{ id: 'PLAST', result: { error: { key: 'quantity_exceeded' } } }],
    });
    expect(failed).toEqual([['PLAST', null, 'no_applicable_redeemables', false]]);
  });
});
