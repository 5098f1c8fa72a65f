import { Fault, derivedIds, isRefused, randomIds, refuse } from '@scrip/kernel';
import { METRICS, type Metrics } from '@scrip/service';
import { RedemptionListHandlers } from '../listing/redemption-list.handlers';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import type { RollbackRequest } from '../request/rollback-request';
import { SettlementPusher } from '../settlement/settlement';
import { RollbackResumer } from './rollback-resumer';
import { RollbackHandlers } from './rollback.handlers';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('rollback');
  fixture.campaigns.add(redeemable('A', { discount: amount(1000) }));
  // Rounds run when a test says so.
  await fixture.get(RollbackResumer).onApplicationShutdown();
});

afterAll(() => fixture.stop());

const redeemed = async (more: object = { order: { amount: 5000 } }): Promise<string> => {
  const answer = (await fixture
    .get(RedeemHandlers)
    .redeem(call(), { redeemables: [{ object: 'voucher', id: 'A' }], ...more })) as {
    redemptions: { id: string }[];
  };
  await fixture.get(SettlementPusher).drained();
  return answer.redemptions[0]!.id;
};

const rollBack = (id: string, request: RollbackRequest = {}, ids = randomIds) =>
  fixture.get(RollbackHandlers).rollBack(call(), id, request, ids);

const read = (id: string) => fixture.get(RedemptionListHandlers).read(call(), id);

it('gives the use and the discount back and cancels the order', async () => {
  const before = fixture.campaigns.redeemed('A');
  const id = await redeemed({ order: { amount: 5000 }, customer: { source_id: 'alice', name: 'Alice' } });
  const answer = (await rollBack(id, { reason: 'mistake', metadata: { by: 'me' } })) as { id: string };
  expect(answer).toMatchObject({
    id: expect.stringMatching(/^rr_/),
    object: 'redemption_rollback',
    redemption: id,
    reason: 'mistake',
    metadata: { by: 'me' },
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    customer: { name: 'Alice' },
    order: {
      status: 'CANCELED',
      amount: 5000,
      total_amount: 5000,
      redemptions: { [id]: { rollback_id: answer.id } },
    },
    voucher: { code: 'A', redemption: { redeemed_quantity: before } },
    related_object_type: 'voucher',
    related_object_id: 'v_a',
  });
  expect(answer).not.toHaveProperty('order.discount_amount');
  expect(await read(id)).toMatchObject({
    status: 'ROLLED_BACK',
    result: 'SUCCESS',
    related_redemptions: { rollbacks: [{ id: answer.id, rollback_order_mode: 'WITH_ORDER' }] },
  });
  expect(await read(answer.id)).toMatchObject({
    id: answer.id,
    object: 'redemption_rollback',
    redemption: id,
  });
  expect(fixture.campaigns.redeemed('A')).toBe(before);
  expect(await fixture.events.verifyState()).toEqual([]);
});

it('succeeds once for twenty callers', async () => {
  const before = fixture.campaigns.redeemed('A');
  const id = await redeemed();
  const answers = await Promise.all(Array.from({ length: 20 }, () => rollBack(id)));
  const refusals = answers.filter((answer) => isRefused(answer)).map(({ refused }) => refused);
  expect(refusals).toHaveLength(19);
  expect(refusals.every((key) => key === 'multiple_requests' || key === 'already_rolled_back')).toBe(true);
  expect(fixture.campaigns.redeemed('A')).toBe(before);
});

it('keeps a refused rollback of a redemption that was rolled back before', async () => {
  const id = await redeemed();
  await rollBack(id);
  const refusal = (await rollBack(id)) as { refused: string; resourceId: string };
  expect(refusal).toMatchObject({ refused: 'already_rolled_back', resourceType: 'redemption_rollback' });
  expect(await read(refusal.resourceId)).toMatchObject({
    id: refusal.resourceId,
    object: 'redemption_rollback',
    redemption: id,
    result: 'FAILURE',
    status: 'FAILED',
    failure_code: 'already_rolled_back',
    order: null,
  });
  const events = await fixture.events.readStream('redemption', 'proj_1', id);
  expect(events.map(({ type }) => type)).toEqual([
    'RedemptionSucceeded',
    'RedemptionRollbackStarted',
    'RedemptionRolledBack',
    'RedemptionRollbackFailed',
  ]);
});

it('refuses unknown ids, rollbacks and customers that do not belong to it', async () => {
  const id = await redeemed({ customer: { source_id: 'bob' } });
  expect(await rollBack('r_nothing')).toMatchObject({
    refused: 'not_found',
    details: 'Cannot find redemption with id r_nothing',
    resourceType: 'redemption',
  });
  expect(await rollBack('rr_nothing')).toMatchObject({ refused: 'not_found' });
  expect(await rollBack(id, { customer: { id: 'cust_nobody' } })).toMatchObject({
    refused: 'not_found',
    resourceType: 'customer',
  });
  expect(await rollBack(id, { customer: { source_id: 'carol' } })).toMatchObject({
    refused: 'invalid_customer',
  });
  const { id: rollbackId } = (await rollBack(id, { customer: { source_id: 'bob', name: 'Bob' } })) as {
    id: string;
  };
  expect(await rollBack(rollbackId)).toMatchObject({ refused: 'invalid_redemption' });
  expect(await read(id)).toMatchObject({ customer: { name: 'Bob' } });
});

it('keeps a refused rollback for a customer that nobody has', async () => {
  const id = await redeemed({ customer: { source_id: 'bob' } });
  const failures = () =>
    fixture.dataSource.query<{ code: string }[]>(
      `SELECT state ->> 'failure_code' AS code FROM rollbacks WHERE state ->> 'redemption' = $1`,
      [id],
    );
  expect(await rollBack(id, { customer: { id: 'cust_nobody' } })).toMatchObject({
    ...{ refused: 'not_found', resourceId: 'cust_nobody' },
  });
  expect(await failures()).toEqual([{ code: 'not_found' }]);
});

it('rolls nothing back where the data of the customer cannot be stored, and keeps the refusal', async () => {
  const id = await redeemed({ customer: { source_id: 'gil' } });
  const refused = refuse('metadata_validation_failed', 'size: must be a number');
  const { resolve } = fixture.customers;
  const storing = jest
    .spyOn(fixture.customers, 'resolve')
    .mockImplementation(async (context, request) => (request.store ? refused : resolve(context, request)));
  const answer = await rollBack(id, { customer: { source_id: 'gil', metadata: { size: 'x' } } });
  storing.mockRestore();
  expect(answer).toMatchObject({ ...refused, resourceType: 'redemption_rollback' });
  expect(await read(id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await rollBack(id, { customer: { source_id: 'gil' } })).toMatchObject({ result: 'SUCCESS' });
});

it('stores nothing of a customer for a rollback that is refused', async () => {
  const id = await redeemed({ customer: { source_id: 'hal' } });
  await rollBack(id);
  expect(await rollBack(id, { customer: { source_id: 'hal', name: 'Hal' } })).toMatchObject({
    refused: 'already_rolled_back',
  });
  expect(await read(id)).not.toHaveProperty('customer.name');
});

it('knows customers by their tracking ids', async () => {
  const id = await redeemed({ customer: { source_id: 'dora' } });
  const { tracking_id } = (await read(id)) as { tracking_id: string };
  const other = (await read(await redeemed({ customer: { source_id: 'emil' } }))) as { tracking_id: string };
  expect(tracking_id).toMatch(/^track_/);
  const before = fixture.customers.customers.size;
  expect(await rollBack(id, { customer: { source_id: other.tracking_id } })).toMatchObject({
    refused: 'invalid_customer',
  });
  expect(await rollBack(id, { customer: { source_id: tracking_id, name: 'Dora' } })).toMatchObject({
    customer: { source_id: 'dora', name: 'Dora' },
  });
  expect(fixture.customers.customers.size).toBe(before);
});

it('stores data sent of a customer who is not named with the customer of the redemption', async () => {
  const id = await redeemed({ customer: { source_id: 'finn', metadata: { a: 1 } } });
  const before = fixture.customers.customers.size;
  expect(await rollBack(id, { customer: { name: 'Finn' } })).toMatchObject({
    customer: { source_id: 'finn', name: 'Finn' },
  });
  expect(fixture.customers.customers.size).toBe(before);
  const anonymous = await redeemed({});
  expect(await rollBack(anonymous, { customer: { name: 'Nobody' } })).toMatchObject({ result: 'SUCCESS' });
  expect(fixture.customers.customers.size).toBe(before);
});

it('is finished by somebody else when an owner was away', async () => {
  const before = fixture.campaigns.redeemed('A');
  const id = await redeemed();
  const refund = jest
    .spyOn(fixture.campaigns, 'refund')
    .mockRejectedValueOnce(new Fault('unavailable', 'away'));
  await expect(rollBack(id)).rejects.toBeInstanceOf(Fault);
  refund.mockRestore();
  const refusal = (await rollBack(id)) as { refused: string; resourceId: string };
  expect(refusal).toMatchObject({ refused: 'multiple_requests' });
  expect(await read(refusal.resourceId)).toMatchObject({ failure_code: 'multiple_requests', redemption: id });
  expect(await read(id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await fixture.get(RollbackResumer).resume(0)).toBe(1);
  expect(await read(id)).toMatchObject({ status: 'ROLLED_BACK' });
  expect(fixture.campaigns.redeemed('A')).toBe(before);
  expect(await fixture.get(RollbackResumer).resume(0)).toBe(0);
});

it('is not delayed by sixty older ones that cannot be finished, which are tried ever more rarely', async () => {
  const { refund } = fixture.campaigns;
  const refused = new Set<string>();
  const stuck = jest.spyOn(fixture.campaigns, 'refund').mockImplementation((context, request) => {
    if (refused.has(request.claims[0]!.redemption_id)) throw new Fault('unavailable', 'away');
    return refund(context, request);
  });
  const ids: string[] = [];
  for (let count = 0; count <= 60; count += 1) ids.push(await redeemed({}));
  ids.forEach((id) => refused.add(id));
  for (const id of ids) await expect(rollBack(id)).rejects.toBeInstanceOf(Fault);
  refused.delete(ids.at(-1)!);
  stuck.mockClear();
  const nowMs = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(nowMs);
  expect(await fixture.get(RollbackResumer).resume(0)).toBe(1);
  expect(await read(ids.at(-1)!)).toMatchObject({ status: 'ROLLED_BACK' });
  expect(stuck).toHaveBeenCalledTimes(61);
  expect(await fixture.get(RollbackResumer).resume(0)).toBe(0);
  expect(stuck).toHaveBeenCalledTimes(61); // they wait
  clock.mockReturnValue(nowMs + 2_000);
  refused.delete(ids[0]!);
  expect(await fixture.get(RollbackResumer).resume(0)).toBe(1);
  expect(stuck).toHaveBeenCalledTimes(121);
  const metrics = await fixture.module.get<Metrics>(METRICS, { strict: false }).registry.metrics();
  expect(metrics).toMatch(/^scrip_rollback_unfinished_oldest_seconds 0?\.?[1-9]/m);
  stuck.mockRestore();
  clock.mockReturnValue(nowMs + 60_000);
  expect(await fixture.get(RollbackResumer).resume(0)).toBe(59);
  clock.mockRestore();
});

it('repeated under its ids answers the same rollback, also when the first ended between refund and end', async () => {
  const before = fixture.campaigns.redeemed('A');
  const id = await redeemed();
  const ids = derivedIds({ createdAt: new Date('2026-06-15T10:00:00.000Z'), commandId: 'cmd-1', attempt: 1 });
  const { refund } = fixture.customers;
  const lost = jest.spyOn(fixture.customers, 'refund').mockImplementationOnce(async (context, request) => {
    await refund(context, request);
    throw new Fault('unavailable', 'the answer was lost');
  });
  await expect(rollBack(id, {}, ids)).rejects.toBeInstanceOf(Fault);
  lost.mockRestore();
  const first = await rollBack(id, {}, ids);
  expect(await rollBack(id, {}, ids)).toEqual(first);
  expect(fixture.campaigns.redeemed('A')).toBe(before);
});

it('races with redeeming without drift', async () => {
  const before = fixture.campaigns.redeemed('A');
  for (let round = 0; round < 50; round += 1) {
    const id = await redeemed({});
    const [next] = await Promise.all([redeemed({}), rollBack(id), rollBack(id)]);
    await rollBack(next);
  }
  expect(fixture.campaigns.redeemed('A')).toBe(before);
  expect(fixture.campaigns.claims.count('PROVISIONAL')).toBe(0);
});

it('rolls back what it could redeem: an order as large as orders may be stands once in each event', async () => {
  // The largest order that customers accept is 600,000 bytes; the rest of it is small.
  const order = { amount: 5000, metadata: { note: 'x'.repeat(599_000) } };
  const id = await redeemed({ order });
  expect(await rollBack(id)).toMatchObject({ result: 'SUCCESS', order: { status: 'CANCELED' } });
  const events = await fixture.events.readStream('redemption', 'proj_1', id);
  const sizes = events.map(({ data }) => Buffer.byteLength(JSON.stringify(data)));
  expect(sizes.every((size) => size > 599_000 && size < 620_000)).toBe(true);
  expect(await read(id)).toMatchObject({ status: 'ROLLED_BACK', order: { status: 'CANCELED' } });
});
