/** How an owner deals with claims that other claims wait for, in milliseconds. */
export interface Patience {
  /** A claim request waits this long for rival claims to settle, but at most for half the time its caller has left. Then it
   *  is refused `multiple_requests`. */
  waitMs: number;
  /** Verdicts of rival claims are asked for from this age on. To ask is to end a redemption that is not recorded. A public
   *  request has 10 seconds at most, so older ones are over; where `SCRIP_ANSWER_TIMEOUT_MS` gives requests longer, a rival
   *  may end one that is still at work, which then answers 503 and has redeemed nothing. */
  youngMs: number;
  /** How often the object is looked at while a caller waits. */
  lookAgainMs: number;
  /** How often standing verdicts are read while a caller waits. */
  readAgainMs: number;
}

export const defaultPatience: Patience = {
  waitMs: 2_000,
  youngMs: 10_000,
  lookAgainMs: 50,
  readAgainMs: 250,
};
