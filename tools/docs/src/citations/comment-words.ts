const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const vague = /\b(?:nobody|somebody|whoever|whom)\b/gi;

/** Returns the words in comments of a source that name neither caller, process nor statement. What stands as code in
 *  a comment does not count. */
export const vagueWordsIn = (source: string): string[] =>
  [...source.matchAll(comment)].flatMap(([text]) =>
    [...text.replace(/`[^`]*`/g, '').matchAll(vague)].map(([word]) => word),
  );
