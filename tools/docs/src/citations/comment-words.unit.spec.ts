import { vagueWordsIn } from './comment-words';

describe('vague words in comments', () => {
  it.each([
    ['/** Nobody reads it. */', ['Nobody']],
    ['/**\n *  Told to\n *  whoever asks. */', ['whoever']],
    ['const a = 1; // of whom somebody knows', ['whom', 'somebody']],
    ['/** The user `nobody`. */', []],
    ["const url = 'http://nobody';", []],
    ['const nobody = null;', []],
  ])('%j: %j', (source, words) => {
    expect(vagueWordsIn(source)).toEqual(words);
  });
});
