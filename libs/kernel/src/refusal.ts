/** An expected "no", returned and not thrown. `refused` is the error key of the interface; the edge supplies status
 *  and message from its table unless given here. `resourceId` and `resourceType` name what was in the way; further
 *  fields are passed on. Source: spec 07 §1.3. */
export interface Refusal {
  readonly refused: string;
  readonly details?: string;
  readonly message?: string;
  readonly status?: number;
  readonly resourceId?: string;
  readonly resourceType?: string;
  readonly [extra: string]: unknown;
}

/** Builds a refusal; `details` is left out when absent. */
export const refuse = (
  refused: string,
  details?: string,
  extra: Omit<Refusal, 'refused' | 'details'> = {},
): Refusal => (details === undefined ? { ...extra, refused } : { ...extra, refused, details });

/** Whether a decision's answer is a refusal. */
export const isRefused = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' &&
  answer !== null &&
  !Array.isArray(answer) &&
  typeof (answer as { refused?: unknown }).refused === 'string';
