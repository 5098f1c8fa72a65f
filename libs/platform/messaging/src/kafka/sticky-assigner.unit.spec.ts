import fc from 'fast-check';
import type { Assignment } from 'kafkajs';
import { type GroupMember, assignPartitions } from './sticky-assigner';

const member = (memberId: string, owned: Assignment = {}, topics = ['x']): GroupMember => {
  return { memberId, topics, owned };
};

const assign = (partitions: Record<string, number[]>, members: GroupMember[]): Record<string, Assignment> =>
  Object.fromEntries(assignPartitions(new Map(Object.entries(partitions)), members));

describe('the assignment of partitions', () => {
  it('spreads each topic, and fills up who has least of all topics', () => {
    const members = [member('m1', {}, ['x', 'y', 'z']), member('m2', {}, ['x', 'y', 'z'])];
    expect(assign({ x: [0, 1, 2], y: [0], z: [0] }, members)).toEqual({
      m1: { x: [0, 2], z: [0] },
      m2: { x: [1], y: [0] },
    });
  });

  it('leaves partitions where they are when somebody joins, up to his share', () => {
    expect(assign({ x: [0, 1, 2, 3, 4, 5] }, [member('a'), member('b', { x: [0, 1, 2, 3, 4, 5] })])).toEqual({
      a: { x: [3, 4, 5] },
      b: { x: [0, 1, 2] },
    });
  });

  it('moves only the partitions of who has left', () => {
    const stayed = [member('a', { x: [0, 3] }), member('b', { x: [1, 4] })];
    expect(assign({ x: [0, 1, 2, 3, 4, 5] }, stayed)).toEqual({ a: { x: [0, 3, 2] }, b: { x: [1, 4, 5] } });
  });

  it('gives a topic only to those who read it', () => {
    const members = [member('a', {}, ['x', 'new']), member('b', {}, ['x'])];
    expect(assign({ x: [0, 1], new: [0, 1] }, members)).toEqual({
      a: { x: [0], new: [0, 1] },
      b: { x: [1] },
    });
  });

  it('gives every partition to exactly one reader, none two more than another, whatever they say they own', () => {
    const owned = fc.record({ x: fc.array(fc.nat(12)), y: fc.array(fc.nat(12)) });
    const members = fc.array(owned, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), (of, x, y) => {
        const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
        const partitions = { x: range(x), y: range(y) };
        const all = of.map((mine, index) => member(`m${index}`, mine, ['x', 'y']));
        const assigned = Object.values(assign(partitions, all));
        for (const topic of ['x', 'y'] as const) {
          const shares = assigned.map((mine) => mine[topic] ?? []);
          const sizes = shares.map((share) => share.length);
          expect(shares.flat().sort((a, b) => a - b)).toEqual(partitions[topic]);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
