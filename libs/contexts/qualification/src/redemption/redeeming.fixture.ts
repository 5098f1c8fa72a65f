import type { QualificationFixture } from '../qualification.fixture';
import { call } from '../redeemables.fixture';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { SettlementPusher } from '../settlement/settlement';
import { RedeemHandlers } from './redeem.handlers';
import { RedemptionReads } from './redemption.reads';

export const vouchers = (...codes: string[]): RedeemablesRequest['redeemables'] =>
  codes.map((id) => ({ object: 'voucher' as const, id }));

/** Redeems on the fixture that a spec starts later, and looks at what is stored. */
export const redeemingOn = (fixture: () => QualificationFixture) => {
  const rows = <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    fixture().dataSource.query<Row[]>(sql, values);
  return {
    rows,
    redeem: (request: RedeemablesRequest, key: Parameters<RedeemHandlers['redeem']>[2] = null) =>
      fixture().get(RedeemHandlers).redeem(call(), request, key),
    /** Waits until owners know the verdicts. */
    drained: () => fixture().get(SettlementPusher).drained(),
    /** All redemptions of a status, oldest first. */
    recorded: async (status: string) => {
      const ids = (await rows<{ id: string }>('SELECT id FROM redemptions ORDER BY id')).map(({ id }) => id);
      const states = await fixture().get(RedemptionReads).redemptions(call(), ids);
      return states.map(({ redemption }) => redemption).filter((redemption) => redemption.status === status);
    },
  };
};
