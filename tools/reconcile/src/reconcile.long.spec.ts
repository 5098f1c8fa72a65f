import { type LeftBehind, foundBy, leaveBehind } from './reconcile.fixture';
import { reconcile } from './reconcile';
import { reportOf } from './report';

let left: LeftBehind;
beforeAll(async () => {
  left = await leaveBehind();
});

/** Where a planted difference shows, and as what. */
type Planted = [what: string, sql: string, found: Record<string, string | RegExp>];

/** Seconds, and those that it takes to look. */
const threeMinutes = '(?:1[89]|[2-9]\\d)\\d';
const provisionalFor = new RegExp(`^provisional for ${threeMinutes} s$`);

const recorded = `(SELECT redemption_id FROM qualification.redemption_outcomes WHERE verdict = 'RECORDED' ORDER BY 1 LIMIT 1)`;
const claimOf = (state: string): string =>
  `(SELECT claim_id FROM campaigns.claims WHERE state = '${state}' ORDER BY claim_id LIMIT 1)`;

const planted: Planted[] = [
  [
    'a confirmed use without a verdict',
    `DELETE FROM qualification.redemption_outcomes WHERE redemption_id = ${recorded}`,
    {
      'each confirmed use of a voucher is listed by a recorded verdict': 'no recorded verdict lists it',
      'each confirmed claim on an order is listed by a recorded verdict': 'no recorded verdict lists it',
      'each claim of a redemption is listed by its verdict': 'no recorded verdict lists it',
    },
  ],
  [
    'a verdict that was turned around',
    `UPDATE qualification.redemption_outcomes SET verdict = 'ABANDONED', claims = '[]' WHERE redemption_id = ${recorded}`,
    {
      'each confirmed use of a voucher is listed by a recorded verdict': 'no recorded verdict lists it',
      'each confirmed claim on an order is listed by a recorded verdict': 'no recorded verdict lists it',
      'each claim of a redemption is listed by its verdict': 'no recorded verdict lists it',
    },
  ],
  [
    'a verdict without its redemption',
    `INSERT INTO qualification.redemption_outcomes VALUES ('r_nothing', 'RECORDED', '["clm_nothing"]')`,
    { 'each claim that a recorded verdict lists is in a redemption': 'no redemption row has it' },
  ],
  [
    'a use that its owner has forgotten',
    `DELETE FROM campaigns.claims WHERE claim_id = ${claimOf('CONFIRMED')}`,
    {
      'each recorded use of a voucher stands at its owner': 'its owner knows no such claim',
      'each voucher counts the uses that are claimed': /^counts \d uses, but \d are claimed$/,
    },
  ],
  [
    'a recorded use that was reverted',
    `UPDATE campaigns.claims SET state = 'REVERTED' WHERE claim_id = ${claimOf('CONFIRMED')}`,
    {
      'each recorded use of a voucher stands at its owner': 'the claim is REVERTED',
      'each voucher counts the uses that are claimed': /^counts \d uses, but \d are claimed$/,
    },
  ],
  [
    'a use on another voucher than was redeemed',
    `UPDATE campaigns.claims SET object_id = 'v_other' WHERE claim_id = ${claimOf('CONFIRMED')}`,
    {
      'each recorded use of a voucher stands at its owner': /^its owner has it on v_other, not on v_/,
      'each voucher counts the uses that are claimed': /^(counts \d uses|1 uses are claimed of a voucher)/,
    },
  ],
  [
    'a use that was given back without a rollback',
    `UPDATE campaigns.claims SET state = 'REFUNDED' WHERE claim_id = ${claimOf('CONFIRMED')}`,
    {
      'each refunded use of a voucher belongs to a rolled back redemption':
        'its redemption is not rolled back',
      'each voucher counts the uses that are claimed': /^counts \d uses, but \d are claimed$/,
    },
  ],
  [
    'a rollback that gave no use back',
    `UPDATE campaigns.claims SET state = 'CONFIRMED' WHERE state = 'REFUNDED'`,
    {
      'each recorded use of a voucher stands at its owner': 'rolled back, but the claim is CONFIRMED',
      'each voucher counts the uses that are claimed': /^counts \d uses, but \d are claimed$/,
    },
  ],
  [
    'a use that stays provisional',
    `UPDATE campaigns.claims SET state = 'PROVISIONAL', claimed_at = now() - interval '3 minutes'
     WHERE claim_id = ${claimOf('CONFIRMED')}`,
    { 'no use of a voucher stays provisional': provisionalFor },
  ],
  [
    'a claim on an order that stays provisional',
    `UPDATE customers.order_claims SET state = 'PROVISIONAL', claimed_at = now() - interval '3 minutes'
     WHERE (redemption_id) = ${recorded}`,
    {
      'no claim on an order stays provisional': provisionalFor,
      'each redemption that an order shows has its claim': 'it has no confirmed claim on the order',
    },
  ],
  [
    'a claim on an order that its owner has forgotten',
    `DELETE FROM customers.order_claims WHERE redemption_id = ${recorded}`,
    {
      'each recorded claim on an order stands at its owner': 'its owner knows no such claim',
      'each redemption that an order shows has its claim': 'it has no confirmed claim on the order',
    },
  ],
  [
    'an order that lost its redemptions',
    `UPDATE customers.orders t SET state = (e.data->'order')::jsonb || '{"redemptions": {}}', snapshot_version = NULL
     FROM customers.events e
     WHERE e.stream_id = t.id AND e.version = t.snapshot_version AND e.data->'order'->>'status' = 'PAID'`,
    { 'each confirmed claim shows on its order': 'the order does not show the redemption' },
  ],
  [
    'a rollback that its order does not show',
    `UPDATE customers.order_claims SET rollback_id = 'rr_other' WHERE state = 'REFUNDED'`,
    { 'each confirmed claim shows on its order': 'the order does not show the rollback' },
  ],
  [
    'a redemption without its event',
    `UPDATE qualification.events SET stream_id = 'r_other' WHERE stream_id = ${recorded}`,
    {
      'each redemption has its event': 'no event tells of it',
      'each event of a redemption has its row': 'there is no row',
      'each claim that a recorded verdict lists is in a redemption': 'no redemption row has it',
      'each event of redemptions that an endpoint listens to has its public event': 'it was not told',
      'each public event of redemptions has its event': 'nothing of that kind happened',
    },
  ],
  [
    'a redemption recorded twice',
    `INSERT INTO qualification.events SELECT epoch, ord, nextval('qualification.events_position_seq'), gen_random_uuid(),
       project_id, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at
     FROM qualification.events WHERE stream_id = ${recorded}`,
    {
      'each event of a redemption has its row': 'there is more than one',
      'each event of redemptions that an endpoint listens to has its public event': 'there is more than one',
    },
  ],
  [
    'a rollback without its event',
    `DELETE FROM qualification.events WHERE type = 'RedemptionRolledBack'`,
    {
      'each rollback has its event': 'no event tells of it',
      'each public event of redemptions has its event': 'nothing of that kind happened',
    },
  ],
  [
    'a rollback without its row',
    `DELETE FROM qualification.rollbacks`,
    { 'each event of a rollback has its row': 'there is no row' },
  ],
  [
    'a voucher that miscounts',
    `UPDATE campaigns.vouchers SET state = jsonb_set(state, '{voucher,redemption,redeemed_quantity}', '7') WHERE code = 'ONE'`,
    { 'each voucher counts the uses that are claimed': 'counts 7 uses, but 2 are claimed' },
  ],
  [
    'a paid order without its event',
    `DELETE FROM customers.events WHERE type = 'OrderPaid'`,
    { 'each paid order has its event': 'no event tells that it was paid' },
  ],
  [
    'a fact that was not told',
    `DELETE FROM webhooks.public_events WHERE kind = 'voucher.created' AND id = (
       SELECT min(id) FROM webhooks.public_events WHERE kind = 'voucher.created')`,
    { 'each event of vouchers that an endpoint listens to has its public event': 'it was not told' },
  ],
  [
    'a fact that was told twice',
    `INSERT INTO webhooks.public_events SELECT 'evred_twice', project_id, kind, entity_id, group_id, event_source, data,
       happened_at, created_at FROM webhooks.public_events WHERE kind = 'redemption.failed'`,
    {
      'each public event of redemptions has its event': 'there is more than one',
      'each subscribed endpoint has its sendout': 'there is no sendout',
    },
  ],
  [
    'an endpoint that was passed over',
    `DELETE FROM webhooks.sendouts WHERE id = (SELECT min(id) FROM webhooks.sendouts)`,
    { 'each subscribed endpoint has its sendout': 'there is no sendout' },
  ],
  [
    'a delivery that nobody does',
    `UPDATE webhooks.sendouts SET state = 'PENDING', next_attempt_at = now() - interval '3 minutes'
     WHERE id = (SELECT min(id) FROM webhooks.sendouts)`,
    {
      'each sendout is where its attempts brought it': new RegExp(`^PENDING, and due for ${threeMinutes} s$`),
    },
  ],
  [
    'a success without an attempt',
    `DELETE FROM webhooks.sendout_attempts WHERE sendout_id = (SELECT min(sendout_id) FROM webhooks.sendout_attempts)`,
    { 'each sendout is where its attempts brought it': 'SUCCEEDED, but none of 0 attempts did' },
  ],
  [
    'a group that fell behind',
    `UPDATE webhooks.consumer_positions SET position = '0-0-0' WHERE topic = 'scrip.campaigns.campaign.v1'`,
    { 'each consumer group has read its topics to the end': /^\d events wait behind 0-0-0$/ },
  ],
  [
    'a relay that fell behind',
    `INSERT INTO campaigns.relay_positions VALUES ('kafka', '0-0-0')`,
    { 'the relay of campaigns has published its log to the end': /^\d+ events wait behind 0-0-0$/ },
  ],
  [
    'an event that the broker refused',
    `INSERT INTO customers.unpublished_events VALUES (gen_random_uuid(), '1-1-1', 'scrip.customers.order.v1', 'too large')`,
    { 'every event of customers could be published': 'not in scrip.customers.order.v1: too large' },
  ],
  [
    'a hold that its voucher does not count',
    `INSERT INTO campaigns.voucher_holds SELECT project_id, voucher_id, 'other', 'g', 1, 0, expires_at FROM campaigns.voucher_holds`,
    {
      'each voucher counts what sessions hold of it':
        'counts 1 uses, 0 credits, but sessions hold 2 uses, 0 credits',
    },
  ],
  [
    'a hold that a voucher counts and no session has',
    `DELETE FROM campaigns.voucher_holds`,
    {
      'each voucher counts what sessions hold of it':
        'counts 1 uses, 0 credits, but sessions hold 0 uses, 0 credits',
    },
  ],
  [
    'a hold that an ended claim has used up',
    `INSERT INTO campaigns.voucher_holds SELECT project_id, object_id, 'used', 'g', 1, 0, now() + interval '1 hour', claim_id
       FROM campaigns.claims WHERE claim_id = ${claimOf('CONFIRMED')}`,
    { 'each hold that is used up belongs to a claim under way': 'its claim is CONFIRMED' },
  ],
  [
    'a parked key',
    `INSERT INTO webhooks.parked_keys VALUES ('webhooks.fan-out', 'scrip.customers.customer.v1', 0, 'proj_demo|cust_1',
       'PARKED', 6, 'Error: no', now(), now())`,
    { 'nothing is parked in webhooks': 'PARKED after 6 attempts: Error: no' },
  ],
];

const matching = (found: Record<string, string | RegExp>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(found).map(([name, problem]) => [
      name,
      problem instanceof RegExp ? expect.stringMatching(problem) : problem,
    ]),
  );

describe('reconcile', () => {
  it('finds nothing where everything is as it should be, and says what it compared', async () => {
    const results = await reconcile(left.databases, 0);
    expect(foundBy(results)).toEqual({});
    const compared = Object.fromEntries(results.map(({ name, compared: count }) => [name, count]));
    expect(compared).toMatchObject({
      'each recorded use of a voucher stands at its owner': 5,
      'each recorded claim on an order stands at its owner': 4,
      'each refunded use of a voucher belongs to a rolled back redemption': 1,
      'each redemption has its event': 7,
      'each rollback has its event': 1,
      'each voucher counts the uses that are claimed': 3,
      'each voucher counts what sessions hold of it': 1,
      'each event of redemptions that an endpoint listens to has its public event': 8,
      'each subscribed endpoint has its sendout': 15,
    });
    expect(reportOf(results).at(-1)).toBe('0 differences');
  });

  it.each(planted)('finds %s', async (_, sql, found) => {
    const results = await reconcile(await left.copyWith(sql), 0);
    expect(foundBy(results)).toEqual(matching(found));
  });

  it('takes what was written a moment ago for under way', async () => {
    const databases = await left.copyWith('DELETE FROM webhooks.public_events');
    expect(foundBy(await reconcile(databases, 3_600))).toEqual({});
  });
});
