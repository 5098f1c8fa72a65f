import { Fault } from './fault';
import { isRefused, notFound, refuse } from './refusal';

describe('refusals', () => {
  it('carry key, details and extra fields, and nothing that was not said', () => {
    expect(refuse('voucher_expired')).toStrictEqual({ refused: 'voucher_expired' });
    expect(refuse('not_found', 'Cannot find voucher', { resourceId: 'v1', balance: 3 })).toStrictEqual({
      refused: 'not_found',
      details: 'Cannot find voucher',
      resourceId: 'v1',
      balance: 3,
    });
  });

  it('name what was not found', () => {
    expect(notFound('async_action', 'aa_1')).toStrictEqual({
      refused: 'not_found',
      details: 'Cannot find async_action with id aa_1',
      resourceId: 'aa_1',
      resourceType: 'async_action',
    });
    expect(notFound('webhook_sendout', 'ws_1', 'webhook sendout').details).toBe(
      'Cannot find webhook sendout with id ws_1',
    );
  });

  it('are told from events, nothing and other objects', () => {
    expect(isRefused(refuse('voucher_expired'))).toBe(true);
    for (const other of [[], [{ refused: 'x' }], null, undefined, 'refused', {}, { refused: true }]) {
      expect(isRefused(other)).toBe(false);
    }
  });

  it('leave the events when they are ruled out', () => {
    const answer = ['VoucherPublished'] as string[] | ReturnType<typeof refuse>;
    expect(isRefused(answer) ? 0 : answer.length).toBe(1);
  });
});

describe('faults', () => {
  it.each([
    ['unavailable', true],
    ['overloaded', true],
    ['deadline', false],
  ] as const)('%s: retryable %p', (kind, retryable) => {
    expect(new Fault(kind, 'no answer')).toMatchObject({
      kind,
      retryable,
      message: 'no answer',
      name: 'Fault',
    });
  });

  it('keep their cause and can be declared final', () => {
    const cause = new Error('ECONNREFUSED');
    expect(new Fault('unavailable', 'no answer', { cause, retryable: false })).toMatchObject({
      cause,
      retryable: false,
    });
  });
});
