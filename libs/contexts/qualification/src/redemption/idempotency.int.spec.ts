import { type DerivedKey, keyRow } from '../key-row.fixture';
import { Fault, refuse } from '@scrip/kernel';
import { Outcomes } from '../outcomes/outcomes';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { call, redeemable } from '../redeemables.fixture';
import { SettlementPusher } from '../settlement/settlement';
import { RedeemHandlers } from './redeem.handlers';
import { atNextCommit, cut } from '../interrupted-commit.fixture';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('keyed');
});

afterAll(() => fixture.stop());

const redeem = (code: string, key: DerivedKey) =>
  fixture.get(RedeemHandlers).redeem(call(), { redeemables: [{ object: 'voucher', id: code }] }, key);

const recorded = async (code: string): Promise<{ id: string; result: string }[]> =>
  fixture.dataSource.query('SELECT id, result FROM redemptions WHERE voucher_code = $1 ORDER BY id', [code]);

it('stores the answer with the verdict, in one transaction', async () => {
  fixture.campaigns.add(redeemable('KEYED'));
  const key = await keyRow(fixture.dataSource, 'key-1');
  const answer = await redeem('KEYED', key);
  expect(await key.stored()).toEqual({ status: 200, body: JSON.parse(JSON.stringify(answer)) as object });
});

it('stores the refusal with the failure record', async () => {
  fixture.campaigns.add(redeemable('EMPTY', { redemption: { quantity: 0, redeemed_quantity: 0 } }));
  const key = await keyRow(fixture.dataSource, 'key-2');
  const refusal = (await redeem('EMPTY', key)) as { resourceId: string };
  expect(await key.stored()).toMatchObject({
    status: 400,
    body: {
      code: 400,
      key: 'quantity_exceeded',
      message: 'quantity exceeded',
      details: 'EMPTY',
      resource_id: refusal.resourceId,
      resource_type: 'redemption',
      redeemable_id: 'EMPTY',
      redeemable_type: 'voucher',
      request_id: 'v-000000000000000001',
    },
  });
});

it('stores no refusal that only says that others are at work, and tries again under the same key', async () => {
  fixture.campaigns.add(redeemable('HELD'));
  const key = await keyRow(fixture.dataSource, 'key-10');
  const claim = jest
    .spyOn(fixture.campaigns, 'claim')
    .mockImplementation(async (_, { claims: [claimed] }) => [
      { claim_id: claimed!.claim_id, refusal: refuse('multiple_requests', 'In use'), facts: null },
    ]);
  expect(await redeem('HELD', key)).toMatchObject({ refused: 'multiple_requests' });
  claim.mockRestore();
  expect(await key.stored()).toBeNull();
  const again = await keyRow(fixture.dataSource, 'key-10', { resumed: true });
  expect(await redeem('HELD', again)).toMatchObject({ redemptions: [{ status: 'SUCCEEDED' }] });
  expect(await again.stored()).toMatchObject({ status: 200 });
  expect(await recorded('HELD')).toMatchObject([{ result: 'SUCCESS' }, { result: 'FAILURE' }]);
});

it('writes nothing and answers 409 when the key was answered meanwhile', async () => {
  fixture.campaigns.add(redeemable('TWICE'));
  const key = await keyRow(fixture.dataSource, 'key-3');
  await fixture.dataSource.query(`UPDATE idempotency_keys SET status = 200, body = '{}' WHERE key = 'key-3'`);
  expect(await redeem('TWICE', key)).toMatchObject({ refused: 'idempotency_key_in_use' });
  await fixture.get(SettlementPusher).drained();
  expect(await recorded('TWICE')).toEqual([]);
  expect(fixture.campaigns.redeemed('TWICE')).toBe(0);
});

it('answers 409 in place of its refusal when the key was answered while the end was unknown', async () => {
  fixture.campaigns.add(redeemable('UNKNOWN', { redemption: { quantity: 0, redeemed_quantity: 0 } }));
  const key = await keyRow(fixture.dataSource, 'key-8');
  atNextCommit(async (client, send) => {
    cut(client);
    await fixture.dataSource.query(
      `UPDATE idempotency_keys SET status = 200, body = '{}' WHERE key = 'key-8'`,
    );
    return send();
  });
  expect(await redeem('UNKNOWN', key)).toMatchObject({ refused: 'idempotency_key_in_use' });
  expect(await key.stored()).toEqual({ status: 200, body: {} });
  expect(await recorded('UNKNOWN')).toEqual([]);
});

describe('a command that is executed again', () => {
  it('after it died between claim and record abandons the first attempt and starts under new ids', async () => {
    fixture.campaigns.add(redeemable('DIED', { redemption: { quantity: 1, redeemed_quantity: 0 } }));
    const key = await keyRow(fixture.dataSource, 'key-4');
    const firstId = key.ids().next('r_', 'redemption');
    const claimId = 'clm_first';
    await fixture.campaigns.claim(call(), {
      redemption_id: firstId,
      claims: [{ claim_id: claimId, object_id: 'v_died', asks: { uses: 1 } }],
      at_refusal: 'STOP',
    });
    // The owner asks, and may give the use back: the first attempt can no longer be recorded.
    const again = await keyRow(fixture.dataSource, 'key-4', { resumed: true });
    const settled = fixture.campaigns.load;
    const load = jest.spyOn(fixture.campaigns, 'load').mockImplementationOnce(async (context, request) => {
      const outcomes = await fixture.get(Outcomes).read([firstId]);
      expect(outcomes).toMatchObject([{ verdict: 'ABANDONED' }]);
      await fixture.campaigns.settle(context, {
        verdicts: [{ redemption_id: firstId, claim_id: claimId, object_id: 'v_died', verdict: 'ABANDONED' }],
      });
      return settled(context, request);
    });
    const answer = (await redeem('DIED', again)) as { redemptions: { id: string }[] };
    load.mockRestore();
    expect(answer.redemptions[0]!.id).not.toBe(firstId);
    expect(again.attempt).toBe(2);
    await fixture.get(SettlementPusher).drained();
    expect(fixture.campaigns.redeemed('DIED')).toBe(1);
    expect(await recorded('DIED')).toMatchObject([{ result: 'SUCCESS' }]);
  });

  it('creates an anonymous customer once, however many attempts it takes', async () => {
    fixture.campaigns.add(redeemable('ANON'));
    const before = fixture.customers.customers.size;
    const redeemFor = (key: DerivedKey) =>
      fixture
        .get(RedeemHandlers)
        .redeem(
          call(),
          { redeemables: [{ object: 'voucher', id: 'ANON' }], customer: { name: 'Somebody' } },
          key,
        );
    const claim = jest.spyOn(fixture.campaigns, 'claim').mockRejectedValue(new Fault('unavailable', 'away'));
    await expect(redeemFor(await keyRow(fixture.dataSource, 'key-9'))).rejects.toBeInstanceOf(Fault);
    claim.mockRestore();
    const again = await keyRow(fixture.dataSource, 'key-9', { resumed: true });
    const answer = (await redeemFor(again)) as { redemptions: [{ customer_id: string }] };
    expect(again.attempt).toBe(2);
    expect(fixture.customers.customers.size).toBe(before + 1);
    expect(fixture.customers.customers.has(answer.redemptions[0].customer_id)).toBe(true);
  });

  it('after it was recorded answers that redemption from its state', async () => {
    fixture.campaigns.add(redeemable('DONE', { redemption: { quantity: 5, redeemed_quantity: 0 } }));
    const key = await keyRow(fixture.dataSource, 'key-5');
    const first = (await redeem('DONE', key)) as { redemptions: [{ id: string }] };
    const again = await keyRow(fixture.dataSource, 'key-5', { resumed: true });
    expect(await redeem('DONE', again)).toMatchObject({
      redemptions: [{ id: first.redemptions[0].id, status: 'SUCCEEDED', voucher: { code: 'DONE' } }],
      inapplicable_redeemables: [],
      skipped_redeemables: [],
    });
    expect(again.attempt).toBe(1);
    expect(await recorded('DONE')).toHaveLength(1);
  });

  it('twice at once starts one new attempt', async () => {
    fixture.campaigns.add(redeemable('RACE'));
    await keyRow(fixture.dataSource, 'key-6');
    const both = await Promise.all([
      keyRow(fixture.dataSource, 'key-6', { resumed: true }),
      keyRow(fixture.dataSource, 'key-6', { resumed: true }),
    ]);
    const answers = await Promise.all(both.map((key) => redeem('RACE', key)));
    expect(answers.filter((answer) => 'redemptions' in answer)).toHaveLength(1);
    expect(
      answers.filter((answer) => (answer as { refused?: string }).refused === 'idempotency_key_in_use'),
    ).toHaveLength(1);
    expect(await recorded('RACE')).toHaveLength(1);
  });
});

it('keeps the attempt for the next execution when its end is unknown', async () => {
  fixture.campaigns.add(redeemable('DEAF'));
  const key = await keyRow(fixture.dataSource, 'key-7');
  const claim = jest.spyOn(fixture.campaigns, 'claim').mockRejectedValue(new Fault('unavailable', 'away'));
  await expect(redeem('DEAF', key)).rejects.toBeInstanceOf(Fault);
  claim.mockRestore();
  expect(await key.stored()).toBeNull();
  const again = await keyRow(fixture.dataSource, 'key-7', { resumed: true });
  expect(await redeem('DEAF', again)).toMatchObject({ redemptions: [{ status: 'SUCCEEDED' }] });
});
