import { problemOfPassword } from './password-rules';

const common = 'is too common: many people use one like it';
const login = 'is too close to the login: beside it there are too few different characters';

describe('a password', () => {
  it.each([
    ['of 11 characters', 'mlk-fgo-wxy', 'cannot be shorter than 12 characters'],
    ['of 12', 'mlk-fgo-wxyh', null],
    ['of 128', 'mlk-fgo-wxyh'.padEnd(128, 'x'), null],
    ['of 129', 'mlk-fgo-wxyh'.padEnd(129, 'x'), 'cannot be longer than 128 characters'],
    ['of 11 letters that are two units each', '𝒂𝒃𝒄𝒅𝒆𝒇𝒈𝒉𝒊𝒋𝒌', 'cannot be shorter than 12 characters'],
    ['that is a sentence', 'correct horse battery staple', null],
    ['as the server makes them', 'h3kx7cw2mzp9f4rty6bd', null],
    ['of a common word and a number', 'Password1234!', common],
    ['of two common words', 'LiverpoolFootball', common],
    ['of a run of keys', 'qwertyuiop12', common],
    ['of columns of keys', '1qaz2wsx3edc', common],
    ['of a run backwards', '0987654321zyx', common],
    ['that repeats a few', 'xvxvxvxvxvxvxvxv', common],
    ['of one character', 'aaaaaaaaaaaaaaaa', common],
    ['of the login', 'MaryJones1999', login],
    ['of the name in front of an @', 'maryjones@2026', login],
    ['of the login and a common word', 'MaryJonesPassword', login],
  ])('%s: %s', (_name, password, problem) => {
    expect(problemOfPassword(password, 'maryjones@shop.example')).toBe(problem);
  });
});
