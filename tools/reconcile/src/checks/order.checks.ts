import { type Check, checkEach, checkExists } from '../check';
import type { Source } from '../sorted-rows';
import { orderStates } from './states';

const inCustomers = (sql: string): Source => ({ in: 'customers', sql });

const paidOrders = inCustomers(
  `SELECT project_id || ' ' || id AS key FROM ${orderStates} WHERE state->>'status' = 'PAID'`,
);

/** Orders against the claims that redemptions had on them. */
export const orderChecks = (): Check[] => [
  checkExists(
    'each redemption that an order shows has its claim',
    inCustomers(`
      SELECT project_id || ' ' || id || ' ' || redemption_id AS key
      FROM ${orderStates}, jsonb_object_keys(state->'redemptions') redemption_id`),
    inCustomers(`
      SELECT project_id || ' ' || object_id || ' ' || redemption_id AS key FROM customers.order_claims
      WHERE state IN ('CONFIRMED', 'REFUNDED')`),
    'it has no confirmed claim on the order',
  ),
  checkExists(
    'each paid order has its event',
    paidOrders,
    inCustomers(`
      SELECT DISTINCT project_id || ' ' || stream_id AS key FROM customers.events
      WHERE aggregate = 'order' AND type = 'OrderPaid'`),
    'no event tells that it was paid',
  ),
  checkEach('each confirmed claim shows on its order', {
    each: inCustomers(`
      SELECT c.redemption_id || ' ' || c.claim_id AS key, c.state, c.rollback_id, o.id IS NOT NULL AS exists,
        o.state->'redemptions' ? c.redemption_id AS shown,
        o.state->'redemptions'->c.redemption_id->>'rollback_id' AS shown_rollback
      FROM customers.order_claims c
      LEFT JOIN (SELECT * FROM ${orderStates}) o ON o.project_id = c.project_id AND o.id = c.object_id
      WHERE c.state IN ('CONFIRMED', 'REFUNDED')`),
    problem: ({ state, exists, shown, rollback_id, shown_rollback }) => {
      if (!exists) return 'the order does not exist';
      if (!shown) return 'the order does not show the redemption';
      if (state === 'REFUNDED' && shown_rollback !== rollback_id)
        return 'the order does not show the rollback';
      return state === 'CONFIRMED' && shown_rollback !== null ? 'the order shows a rollback' : null;
    },
  }),
];
