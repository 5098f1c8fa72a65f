/** An expected "no", returned and not thrown. `refused` is the error key of the interface: a decision names the keys it may
 *  refuse with, and a table at the edge gives each its HTTP status and message. `message` replaces the table's where the
 *  text depends on the case. `resourceId` and `resourceType` name the resource that caused it; further fields are passed
 *  on. Without `Key`: where refusals of any kind only pass through. Source: reference 07 §1.3. */
export interface Refusal<Key extends string = string> {
  readonly refused: Key;
  readonly details?: string;
  readonly message?: string;
  /** A decision knows nothing of HTTP. */
  readonly status?: never;
  readonly resourceId?: string;
  readonly resourceType?: string;
  readonly [extra: string]: unknown;
}

/** What a refusal says besides its key and details. */
export interface RefusalExtra {
  readonly message?: string;
  readonly status?: never;
  readonly resourceId?: string;
  readonly resourceType?: string;
  readonly [extra: string]: unknown;
}

/** Builds a refusal; `details` is left out when absent. */
export const refuse = <Key extends string>(
  refused: Key,
  details?: string,
  extra: RefusalExtra = {},
): Refusal<Key> => (details === undefined ? { ...extra, refused } : { ...extra, refused, details });

/** Refuses an id that nothing has. `name`: what the details call the type, by default `resourceType` itself.
 *  Source: reference 07 §1.3. */
export const notFound = (resourceType: string, id: string, name = resourceType): Refusal<'not_found'> =>
  refuse('not_found', `Cannot find ${name} with id ${id}`, { resourceId: id, resourceType });

/** Refuses what belongs to a feature that the installation has switched off. Source: reference 07 §1.3. */
export const missingFeature = (): Refusal<'missing_required_feature'> =>
  refuse(
    'missing_required_feature',
    'Your current plan does not include a feature required to perform this operation.',
  );

/** Whether a decision's answer is a refusal. */
export const isRefused = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' &&
  answer !== null &&
  !Array.isArray(answer) &&
  typeof (answer as { refused?: unknown }).refused === 'string';
