import type { ObjectVerdict } from '@scrip/contracts/claims';
import { type RequestContext, internalContext } from '@scrip/kernel';
import { ClaimSettlement } from './claim-settlement';
import { SettledSignal } from './settled-signal';

const context: RequestContext = internalContext({ id: 'proj_1' } as RequestContext['project']);
const verdict = (n: number): ObjectVerdict => ({
  redemption_id: `r_${n}`,
  claim_id: `clm_${n}`,
  object_id: `v_${n}`,
  verdict: n % 2 ? 'RECORDED' : 'ABANDONED',
});
const verdicts = Array.from({ length: 1_100 }, (_, n) => verdict(n));

it('carries 1,100 verdicts out in pages of 500', async () => {
  const pages: [string, number][] = [];
  const effect = {
    confirm: (_: RequestContext, claims: readonly object[]) => {
      pages.push(['confirm', claims.length]);
      return Promise.resolve([]);
    },
    revert: (_: RequestContext, claims: readonly object[]) => {
      pages.push(['revert', claims.length]);
      return Promise.resolve();
    },
  };
  await new ClaimSettlement('test', effect, new SettledSignal(), jest.fn()).settle(context, verdicts);
  expect(pages).toEqual([
    ['confirm', 250],
    ['revert', 250],
    ['confirm', 250],
    ['revert', 250],
    ['confirm', 50],
    ['revert', 50],
  ]);
});

it('continues after a page that fails, and throws its error at the end', async () => {
  const confirmed: number[] = [];
  const effect = {
    confirm: (_: RequestContext, claims: readonly object[]) => {
      confirmed.push(claims.length);
      return confirmed.length === 1 ? Promise.reject(new Error('the first page')) : Promise.resolve([]);
    },
    revert: () => Promise.resolve(),
  };
  const settlement = new ClaimSettlement('test', effect, new SettledSignal(), jest.fn());
  await expect(settlement.settle(context, verdicts)).rejects.toThrow('the first page');
  expect(confirmed).toEqual([250, 250, 50]);
});
