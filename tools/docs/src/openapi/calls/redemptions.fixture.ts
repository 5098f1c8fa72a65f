import { order } from './orders.fixture';
import type { DocumentedCaller, Json } from './documented-caller.fixture';

/** The body of a redemption of vouchers. */
export const redeeming = (...codes: string[]) => ({
  redeemables: codes.map((id) => ({ object: 'voucher', id })),
  customer: { source_id: 'ada', name: 'Ada', email: 'ada@example.com', address: { city: 'London' } },
  metadata: { till: 3 },
});

/** Redeems ONE and TWO, and takes it back. */
export const askRedemptions = async ({ send }: DocumentedCaller): Promise<void> => {
  await send('POST', '/v1/validations', { body: { ...redeeming('ONE', 'TWO'), order } });
  await send('POST', '/v1/validations', {
    body: { ...redeeming('ONE', 'NONE'), options: { expand: ['redeemable', 'category'] } },
  });
  await send('POST', '/v1/explanations', {
    body: { ...redeeming('ONE', 'NONE'), order, at: '2026-03-31T10:00:00Z' },
  });
  await send('POST', '/v1/explanations', { body: { redemption_id: 'rf_none' } });
  const { customer } = redeeming('ONE');
  const options = {
    limit: 10,
    sorting_rule: 'BEST_DEAL',
    expand: ['redeemable', 'category', 'validation_rules'],
  };
  await send('POST', '/v1/qualifications', { body: { customer, order, options } });
  await send('POST', '/v1/qualifications', { body: { scenario: 'PRODUCTS', order } });
  await send('POST', '/v1/qualifications', { body: { scenario: 'PROMOTION_STACKS', order } });
  await send('POST', '/client/v1/qualifications', { body: { order } });
  for (const kind of ['campaigns', 'vouchers'])
    await send('POST', `/v1/${kind}/qualification`, {
      ...{ body: { order, customer: { source_id: 'ada' }, metadata: { till: 3 } } },
      query: '?audienceRulesOnly=true&limit=20&order=-updated_at',
    });
  await send('POST', '/client/v1/validations', { body: redeeming('ONE') });
  await send('POST', '/client/v1/redemptions', { body: redeeming('ONE') });
  const redemptions = '/v1/redemptions';
  const { answer: single } = await send('POST', redemptions, { body: { ...redeeming('ONE'), order } });
  const { answer: stack } = await send('POST', redemptions, { body: redeeming('ONE', 'TWO') });
  await send('POST', redemptions, { body: redeeming('ONE') });
  await send('GET', redemptions, {
    query: '?result[]=SUCCESS&result[]=FAILURE&created_at[after]=2026-01-01',
  });
  for (const path of ['redemption', 'redemptions'])
    await send('GET', `/v1/vouchers/{code}/${path}`, { parameters: { code: 'ONE' }, query: '?limit=5' });
  const redemptionId = (single.redemptions as Json[])[0]!.id as string;
  const parentRedemptionId = (stack.parent_redemption as Json).id as string;
  const undone = { reason: 'returned', order: { status: 'CANCELED' } };
  await send('POST', '/v1/redemptions/{redemptionId}/rollback', {
    parameters: { redemptionId },
    body: undone,
  });
  await send('POST', '/v1/redemptions/{redemptionId}/rollback', { parameters: { redemptionId } });
  await send('POST', '/v1/redemptions/{parentRedemptionId}/rollbacks', {
    parameters: { parentRedemptionId },
    query: '?reason=returned',
  });
  await send('GET', '/v1/redemptions/{redemptionId}', { parameters: { redemptionId } });
  await send('GET', '/v1/redemptions/{redemptionId}', { parameters: { redemptionId: parentRedemptionId } });
  await send('GET', '/v1/redemptions/{redemptionId}', { parameters: { redemptionId: 'r_none' } });
  await send('GET', redemptions, { query: '?limit=100' });
};
