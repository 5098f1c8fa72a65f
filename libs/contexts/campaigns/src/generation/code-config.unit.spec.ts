import type { CodeConfig } from '@scrip/contracts/campaigns';
import { isRefused } from '@scrip/kernel';
import { alphabetOf, capacityMustSuffice, capacityOf, foldCode, resolveCodeConfig } from './code-config';

const resolved = (input: Parameters<typeof resolveCodeConfig>[0], charset?: string): CodeConfig => {
  const config = resolveCodeConfig(input, charset);
  if (isRefused(config)) throw new Error(config.details);
  return config;
};

describe('code configuration', () => {
  test.each([
    [{ pattern: '10OFF-#######' }, 7, 3_521_614_606_208n],
    [{ prefix: 'New-', pattern: 'GIFT-CARD-##########', postfix: '0' }, 10, 62n ** 10n],
    [{ pattern: 'AB-##-#', charset: 'XYZ' }, 3, 27n],
    [{ pattern: '#', charset: '0123456789' }, 1, 10n],
    [{}, 8, 62n ** 8n],
    [{ length: 3, charset: 'AAB' }, 3, 8n],
    [{ pattern: 'FIXED' }, 0, 1n],
    [{ pattern: '##', length: 9 }, 2, 3_844n],
  ])('%j has %d places and %d codes', (input, length, capacity) => {
    const config = resolved(input);
    expect(config.length).toBe(length);
    expect(capacityOf(config, true)).toBe(capacity);
  });

  test('cases fold before characters are counted: 62 become 36', () => {
    expect(alphabetOf(resolved({}).charset, false)).toHaveLength(36);
    expect(alphabetOf('ABCabc', false)).toEqual(['A', 'B', 'C']);
  });

  test('the project has a default set', () => {
    expect(resolved({}, 'XYZ').charset).toBe('XYZ');
    expect(resolved({ charset: 'AB' }, 'XYZ').charset).toBe('AB');
  });

  test.each([
    ['10 of 10 codes', 10, null],
    ['11 of 10 codes', 11, 'invalid_code_config'],
  ])('%s', (_, count, refused) => {
    const config = resolved({ pattern: '#', charset: '0123456789' });
    expect(capacityMustSuffice(config, count, true)?.refused ?? null).toBe(refused);
  });

  test.each([
    [{ length: 0 }, 'refused'],
    [{ length: 1 }, 'accepted'],
    [{ length: 512 }, 'accepted'],
    [{ length: 513 }, 'refused'],
    [{ length: 1e9 }, 'refused'],
    [{ length: 500, prefix: 'p'.repeat(12) }, 'accepted'],
    [{ length: 500, prefix: 'p'.repeat(13) }, 'refused'],
  ])('%j is %s', (input, expected) => {
    expect(isRefused(resolveCodeConfig(input)) ? 'refused' : 'accepted').toBe(expected);
  });

  test('codes are compared with their case only where it counts', () => {
    expect(foldCode('New1', true)).toBe('New1');
    expect(foldCode('New1', false)).toBe('new1');
  });
});
