import type { AnswerShape } from '../redemption/redemption-attempts';

/** The answer of a call for one object: its redemption. Source: reference 03 §6.3. */
export const onlyRedemption: AnswerShape = ({ redemptions: [only] }) => only!;
