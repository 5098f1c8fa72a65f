import type { CampaignsPort } from '@scrip/contracts/campaigns';
import type { ObjectVerdict, Outcome } from '@scrip/contracts/claims';
import type { CustomersPort } from '@scrip/contracts/customers';
import { Fault } from '@scrip/kernel';
import type { PromotionsPort } from '@scrip/contracts/promotions';
import { Metrics } from '@scrip/service';
import { Participants } from '../participants/participants';
import { project } from '../redeemables.fixture';
import { pagesOf } from './owner-queue';
import { type Settlement, SettlementPusher } from './settlement';

type Settle = CampaignsPort['settle'];

const settlement = (n: number, requestId: string, verdict: Outcome['verdict']): Settlement => ({
  project,
  requestId,
  outcome: { redemption_id: `r_${n}`, verdict, claims: verdict === 'RECORDED' ? [`clm_${n}`] : [] },
  claims: [{ participant: 'campaigns', claim_id: `clm_${n}`, object_id: `v_${n}` }],
});

const pusherOf = (campaigns: Settle, customers: Settle = () => Promise.resolve(null)) =>
  new SettlementPusher(
    new Participants(
      { settle: campaigns } as CampaignsPort,
      { settle: customers } as unknown as CustomersPort,
      {} as PromotionsPort,
    ),
    new Metrics(),
  );

const idsOf = (verdicts: readonly ObjectVerdict[]) => verdicts.map(({ redemption_id }) => redemption_id);

it('gives uses back under the id of the request that claimed them, and confirms whole batches', async () => {
  const told: Record<string, string[]>[] = [];
  const pusher = pusherOf(({ requestId }, { verdicts }) => {
    expect(verdicts.map(({ object_id }) => object_id)).toEqual(
      verdicts.map(({ claim_id }) => claim_id.replace('clm_', 'v_')),
    );
    told.push({ [requestId]: verdicts.map(({ redemption_id, verdict }) => `${redemption_id} ${verdict}`) });
    return Promise.resolve(null);
  });
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

it('does not delay an owner while another is slow', async () => {
  let letGo = (): void => undefined;
  const held = new Promise<null>((resolve) => (letGo = () => resolve(null)));
  const told: string[][] = [];
  const pusher = pusherOf(
    () => held,
    (_, { verdicts }) => {
      told.push(idsOf(verdicts));
      return Promise.resolve(null);
    },
  );
  for (const n of [1, 2]) {
    const { claims, ...rest } = settlement(n, 'v-1', 'RECORDED');
    const order = { participant: 'customers', claim_id: `clm_o${n}`, object_id: `ord_${n}` };
    pusher.push({ ...rest, claims: [...claims, order] });
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.resolve();
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual([['r_1'], ['r_2']]);
  letGo();
  await pusher.drained();
});

it('halves a page that the owner cannot take until each half passes', async () => {
  const told: string[][] = [];
  const pusher = pusherOf((_, { verdicts }) => {
    if (idsOf(verdicts).includes('r_3')) return Promise.reject(new RangeError('poisoned'));
    told.push(idsOf(verdicts));
    return Promise.resolve(null);
  });
  for (let n = 1; n <= 8; n += 1) pusher.push(settlement(n, 'v-1', 'RECORDED'));
  await pusher.drained();
  expect(told).toEqual([['r_1', 'r_2'], ['r_4'], ['r_5', 'r_6', 'r_7', 'r_8']]);
});

it('leaves verdicts to the questions of an owner that is away', async () => {
  let calls = 0;
  const pusher = pusherOf(() => {
    calls += 1;
    return Promise.reject(new Fault('unavailable', 'away'));
  });
  for (let n = 1; n <= 8; n += 1) pusher.push(settlement(n, 'v-1', 'RECORDED'));
  await pusher.drained();
  expect(calls).toBe(1);
});

it('pages by count and by bytes', () => {
  const verdict = (n: number, object_id: string): ObjectVerdict => ({
    redemption_id: `r_${n}`,
    claim_id: `clm_${n}`,
    object_id,
    verdict: 'RECORDED',
  });
  const short = Array.from({ length: 1_001 }, (_, n) => verdict(n, 'v'));
  expect(pagesOf(short).map((page) => page.length)).toEqual([500, 500, 1]);
  const long = Array.from({ length: 30 }, (_, n) => verdict(n, 'v'.repeat(26_000)));
  const pages = pagesOf(long);
  expect(pages.map((page) => page.length)).toEqual([10, 10, 10]);
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(262_144);
  expect(pages.flat()).toEqual(long);
});
