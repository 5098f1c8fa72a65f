import { newestConsents } from './newest-consents';

const many = (count: number): [string, boolean][] =>
  Array.from({ length: count }, (_, index) => [`consent-${index}`, true]);

describe('the consents of a customer', () => {
  it('are merged by their ids', () => {
    const stored: [string, boolean][] = [
      ['mail', true],
      ['phone', true],
    ];
    expect(newestConsents(stored, { mail: false, post: true })).toEqual([
      ['phone', true],
      ['mail', false],
      ['post', true],
    ]);
  });

  it('are the hundred that were sent last, whatever they are called', () => {
    const full = newestConsents(many(100), { 7: true });
    expect(full).toHaveLength(100);
    expect(full.at(-1)).toEqual(['7', true]);
    const next = newestConsents(full, { mail: true });
    expect(next).toContainEqual(['7', true]);
    expect(next).not.toContainEqual(['consent-1', true]);
  });
});
