import type { CampaignsPort, CustomersPort, Outcome } from '@scrip/contracts';
import { Metrics } from '@scrip/service';
import { project } from '../redeemables.fixture';
import { type Settlement, SettlementPusher } from './settlement';

const settlement = (n: number, requestId: string, verdict: Outcome['verdict']): Settlement => ({
  project,
  requestId,
  outcome: { redemption_id: `r_${n}`, verdict, claims: verdict === 'RECORDED' ? [`clm_${n}`] : [] },
  vouchers: [{ claim_id: `clm_${n}`, voucher_id: `v_${n}` }],
  orders: [],
});

it('gives uses back under the id of the request that claimed them, and confirms whole batches', async () => {
  const told: Record<string, string[]>[] = [];
  const settle: CampaignsPort['settle'] = ({ requestId }, { outcomes, claims }) => {
    expect(claims.map(({ redemption_id }) => redemption_id)).toEqual(
      outcomes.map(({ redemption_id }) => redemption_id),
    );
    told.push({ [requestId]: outcomes.map(({ redemption_id, verdict }) => `${redemption_id} ${verdict}`) });
    return Promise.resolve(null);
  };
  const pusher = new SettlementPusher({ settle } as CampaignsPort, {} as CustomersPort, new Metrics());
  pusher.push(settlement(1, 'v-1', 'RECORDED'));
  pusher.push(settlement(2, 'v-2', 'ABANDONED'));
  pusher.push(settlement(3, 'v-3', 'RECORDED'));
  pusher.push(settlement(4, 'v-4', 'ABANDONED'));
  pusher.push(settlement(5, 'v-2', 'ABANDONED'));
  await pusher.drained();
  expect(told).toEqual([
    { 'v-1': ['r_1 RECORDED', 'r_3 RECORDED'] },
    { 'v-2': ['r_2 ABANDONED', 'r_5 ABANDONED'] },
    { 'v-4': ['r_4 ABANDONED'] },
  ]);
});
