import { fittingOf } from './fitting-answers';

const answerOf = (bytes: number): string => 'x'.repeat(bytes - 2);

describe('answers of one frame', () => {
  test.each([
    ['none', [], 0],
    ['all that fit', [449_999, 449_999], 2],
    ['those before the first that does not fit', [449_999, 450_000], 1],
    ['one, however large it is', [2_000_000, 10], 1],
  ])('are %s', (_, bytes, kept) => {
    const answers = bytes.map(answerOf);
    expect(fittingOf(answers)).toEqual(answers.slice(0, kept));
  });
});
