/** How an owner deals with claims that stand in somebody's way, milliseconds. */
export interface Patience {
  /** A claim request waits this long for rival claims to settle, but at most for half the time its caller has left. Then it
   *  is refused `multiple_requests`. */
  waitMs: number;
  /** Verdicts of rival claims are asked for from this age on. To ask is to end a redemption that is not recorded: a
   *  public request has 10 seconds, so nothing older is still alive. */
  youngMs: number;
  /** How often the object is looked at while somebody waits. */
  lookAgainMs: number;
  /** How often standing verdicts are read while somebody waits. */
  readAgainMs: number;
}

export const defaultPatience: Patience = {
  waitMs: 2_000,
  youngMs: 10_000,
  lookAgainMs: 50,
  readAgainMs: 250,
};
