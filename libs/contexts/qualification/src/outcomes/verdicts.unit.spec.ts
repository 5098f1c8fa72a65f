import { verdictsOn } from './verdicts';

const key = (redemption_id: string, claim_id: string) => ({ redemption_id, claim_id });

it('records the claims that a RECORDED outcome lists, and abandons the others', () => {
  const outcomes = [
    { redemption_id: 'r_1', verdict: 'RECORDED' as const, claims: ['clm_1'] },
    { redemption_id: 'r_2', verdict: 'ABANDONED' as const, claims: [] },
  ];
  const claims = [
    key('r_1', 'clm_1'),
    key('r_1', 'clm_unlisted'),
    key('r_2', 'clm_2'),
    key('r_open', 'clm_3'),
  ];
  expect(verdictsOn(outcomes, claims)).toEqual([
    { ...key('r_1', 'clm_1'), verdict: 'RECORDED' },
    { ...key('r_1', 'clm_unlisted'), verdict: 'ABANDONED' },
    { ...key('r_2', 'clm_2'), verdict: 'ABANDONED' },
  ]);
});
