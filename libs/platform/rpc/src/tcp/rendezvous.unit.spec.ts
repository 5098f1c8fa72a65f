import { byRendezvous } from './rendezvous';

const members = ['10.0.0.1:4000', '10.0.0.2:4000', '10.0.0.3:4000'].map((name) => ({ name }));
const keys = Array.from({ length: 3_000 }, (_, index) => `v_${index}`);
const ownerOf = (key: string, of = members): string | undefined => byRendezvous(key, of)[0]?.name;

describe('rendezvous hashing', () => {
  it('finds the same order whatever order the members are known in', () => {
    for (const key of keys.slice(0, 100))
      expect(byRendezvous(key, [...members].reverse())).toEqual(byRendezvous(key, members));
  });

  it('spreads keys evenly', () => {
    const shares = members.map(({ name }) => keys.filter((key) => ownerOf(key) === name).length);
    for (const share of shares) expect(Math.abs(share - 1_000)).toBeLessThan(120);
  });

  it('moves only the keys of a member that goes, and spreads those', () => {
    const [gone, ...left] = members;
    const moved = keys.filter((key) => ownerOf(key) !== ownerOf(key, left));
    expect(moved).toEqual(keys.filter((key) => ownerOf(key) === gone?.name));
    expect(new Set(moved.map((key) => ownerOf(key, left)))).toEqual(new Set(left.map(({ name }) => name)));
  });
});
