import type { AnswerShape } from '../redemption/redeem.handlers';

/** The answer of a call for one object: its redemption. Source: reference 03 §6.3. */
export const onlyRedemption: AnswerShape = ({ redemptions: [only] }) => only!;
