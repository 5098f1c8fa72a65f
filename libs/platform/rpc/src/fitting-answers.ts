/** Bytes of JSON that fit one answer between services, with its envelope. */
const answerBytes = 900_000;

/** The first of the answers, as many as fit one frame, and at least one: who asked asks again for the others. Cut in both shapes, so
 *  that what works in one process works between services. Source: ADR 20. */
export const fittingOf = <Answer>(answers: readonly Answer[]): Answer[] => {
  if (answers.length < 2) return [...answers];
  let left = answerBytes;
  const beyond = answers.findIndex((answer, index) => {
    left -= Buffer.byteLength(JSON.stringify(answer)) + 1;
    return left < 0 && index > 0;
  });
  return beyond < 0 ? [...answers] : answers.slice(0, beyond);
};
