/** Characters of a password. Source: reference 07 §2.4. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 128;

// Long passwords that many people choose are put together from these, from runs of keys and from repetitions.
const commonWords = (
  'administrator superuser password passwort passw0rd p@ssw0rd pa55word qwertyuiop letmein iloveyou welcome ' +
  'sunshine princess football baseball basketball superman batman starwars trustno1 dragon monkey master shadow ' +
  'michael jennifer jordan charlie computer internet changeme change secret default temporary testing hello ' +
  'freedom whatever mustang pokemon naruto liverpool chelsea arsenal samsung google facebook microsoft windows ' +
  'january february march april june july august september october november december monday friday spring summer ' +
  'autumn winter admin guest login root test user pass love scrip voucher coupon shop store'
).split(' ');

const keyRows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujm',
];
const runs = [...keyRows, ...keyRows.map((row) => [...row].reverse().join(''))];
const runLengthMin = 3;

/** Characters at the beginning of `text` that follow each other on a keyboard or in the alphabet, or are the same. */
const runLength = (text: string): number => {
  const repeated = /^(.)\1*/u.exec(text)?.[0].length ?? 0;
  let longest = repeated;
  for (const run of runs) {
    let length = longest;
    while (length < text.length && run.includes(text.slice(0, length + 1))) length += 1;
    if (length > longest && run.includes(text.slice(0, length))) longest = length;
  }
  return longest < runLengthMin ? 0 : longest;
};

/** The characters of a password that are no common word, no run and not of `known`. */
const ownCharacters = (password: string, known: readonly string[]): string => {
  let rest = password;
  let own = '';
  while (rest !== '') {
    const word = known.find((one) => rest.startsWith(one));
    const taken = Math.max(word?.length ?? 0, runLength(rest));
    if (taken === 0) own += rest[0];
    rest = rest.slice(Math.max(taken, 1));
  }
  return own;
};

const ownCharactersMin = 5;

const hasEnoughOwn = (password: string, known: readonly string[]): boolean => {
  const longestFirst = [...known].sort((left, right) => right.length - left.length);
  return new Set(ownCharacters(password, longestFirst)).size >= ownCharactersMin;
};

/** A password as it is hashed: texts that look the same on different keyboards are the same. */
export const normalizedPassword = (password: string): string => password.normalize('NFKC');

/** Why a password is not accepted for a user with this login, as the end of "The password …"; null where it is. What is
 *  made of common words, runs of keys, repetitions and the login alone is refused. Source: reference 07 §2.4. */
export const problemOfPassword = (password: string, login: string): string | null => {
  const text = normalizedPassword(password).toLowerCase();
  const length = [...text].length;
  if (length < passwordLengthMin) return `cannot be shorter than ${passwordLengthMin} characters`;
  if (length > passwordLengthMax) return `cannot be longer than ${passwordLengthMax} characters`;
  const names = login
    .toLowerCase()
    .split('@')
    .filter((name) => name.length >= runLengthMin);
  if (hasEnoughOwn(text, [...names, ...commonWords])) return null;
  return hasEnoughOwn(text, commonWords)
    ? 'is too close to the login: beside it there are too few different characters'
    : 'is too common: many people use one like it';
};
