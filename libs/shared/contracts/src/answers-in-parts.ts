/** Returns the answers to all that is asked, in order, where one call answers the first of it, as many as fit and at least one.
 *  `answered`: those that are there already. */
export const answersInParts = async <Asked, Answer>(
  asked: readonly Asked[],
  ask: (part: readonly Asked[]) => Promise<readonly Answer[]>,
  answered: readonly Answer[] = [],
): Promise<Answer[]> => {
  const answers = [...answered];
  let most = answers.length * 2 || asked.length;
  while (answers.length < asked.length) {
    const part = await ask(asked.slice(answers.length, answers.length + most));
    if (part.length === 0) throw new Error('none of what was asked for was answered');
    answers.push(...part);
    // What is asked for is alike: what a call asks beyond that would be read in vain.
    most = part.length * 2;
  }
  return answers;
};
