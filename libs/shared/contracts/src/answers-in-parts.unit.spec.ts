import { answersInParts } from './answers-in-parts';

/** Answers so many of what it is asked for, call by call. */
const answering = (...most: number[]) => {
  const parts: (readonly number[])[] = [];
  const ask = async (part: readonly number[]) => {
    parts.push(part);
    return part.slice(0, most[parts.length - 1]).map(String);
  };
  return { parts, ask };
};

describe('answers in parts', () => {
  it('come by one call where all fit, and by none where nothing is asked for', async () => {
    const { parts, ask } = answering(3);
    expect(await answersInParts([1, 2, 3], ask)).toEqual(['1', '2', '3']);
    expect(await answersInParts([], ask)).toEqual([]);
    expect(parts).toEqual([[1, 2, 3]]);
  });

  it('come in order, and a call asks for twice what fitted before', async () => {
    const { parts, ask } = answering(1, 2, 3);
    expect(await answersInParts([1, 2, 3, 4, 5, 6], ask)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(parts).toEqual([
      [1, 2, 3, 4, 5, 6],
      [2, 3],
      [4, 5, 6],
    ]);
  });

  it('go on behind those that are there', async () => {
    const { parts, ask } = answering(2);
    expect(await answersInParts([1, 2, 3], ask, ['one'])).toEqual(['one', '2', '3']);
    expect(parts).toEqual([[2, 3]]);
  });

  it('throw where nothing is answered', async () => {
    await expect(answersInParts([1], async () => [])).rejects.toThrow('was answered');
  });
});
