import { notFound, refuse } from '@scrip/kernel';
import { statusAndMessageOf } from './qualification.refusals';

describe('a refusal is answered with', () => {
  it.each([
    ['voucher_disabled', 400, 'voucher is disabled'],
    ['missing_order_items_amount', 400, 'Missing applicable order items'],
    ['customer_rules_violated', 400, 'customer does not match validation rules'],
    ['claim_abandoned', 503, 'The redemption was abandoned'],
  ])('%s: %d and its message', (key, status, message) => {
    expect(statusAndMessageOf(refuse(key))).toEqual({ status, message });
  });

  it('its own message where the text depends on the case', () => {
    expect(statusAndMessageOf(notFound('voucher', 'A')).message).toBe('Resource not found');
    expect(statusAndMessageOf(refuse('not_found', 'A', { message: 'Gone' }))).toEqual({
      status: 404,
      message: 'Gone',
    });
  });

  it('400 where an owner of a newer release refuses with an unknown key', () => {
    expect(statusAndMessageOf(refuse('too_shiny'))).toEqual({ status: 400, message: 'too_shiny' });
    expect(statusAndMessageOf(refuse('toString'))).toEqual({ status: 400, message: 'toString' });
  });
});
