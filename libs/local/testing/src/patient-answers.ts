/** Environment of a Scrip that works on a call for as long as it may: what else the machine of a test run does is no reason
 *  to answer 503. */
export const patientAnswers = { SCRIP_ANSWER_TIMEOUT_MS: '25000' };
