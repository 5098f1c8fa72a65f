import { format } from 'node:util';
import { Secret } from './secret';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  it('gives its value only when asked', () => expect(secret.reveal()).toBe('hunter2'));

  it.each([
    ['templates', `${secret}`],
    ['JSON', JSON.stringify({ secret })],
    ['console output', format('%o %s %j', secret, { secret }, secret)],
    ['spreading', JSON.stringify({ ...secret })],
  ])('stays hidden in %s', (_, shown) => expect(shown).not.toContain('hunter2'));
});
