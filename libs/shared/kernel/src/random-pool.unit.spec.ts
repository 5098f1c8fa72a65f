import { pooledRandom } from './random-pool';

describe('pooled random bytes', () => {
  it('are never given out twice, across refills of the pool', () => {
    const texts = Array.from({ length: 5_000 }, () => pooledRandom(12).toString('hex'));
    expect(new Set(texts).size).toBe(5_000);
    expect(texts.every((text) => text.length === 24)).toBe(true);
  });

  it('may take the whole pool', () => {
    expect(pooledRandom(8_192)).toHaveLength(8_192);
    expect(pooledRandom(1)).toHaveLength(1);
  });
});
