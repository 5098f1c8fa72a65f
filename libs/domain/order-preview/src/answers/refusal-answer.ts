import type { Refusal } from '@scrip/kernel/pure';

/** What the interface says of a refusal besides what it carries itself. `message`: generic, for its key. */
export interface RefusalWording {
  readonly code: number;
  readonly message: string;
  readonly requestId: string;
}

/** Why a redeemable does not apply, within an answer. `error.error.message`, `details.message`: the text of the violated
 *  rule, of its object or of the project, where any is configured; else `details.message` is the generic one.
 *  Source: reference 02 §4.4, reference 03 §5.2. */
export interface RefusalAnswer {
  readonly error: {
    readonly code: number;
    readonly key: string;
    readonly message: string;
    readonly details?: string;
    readonly redemption?: unknown;
    readonly request_id: string;
    readonly resource_id?: string;
    readonly resource_type?: string;
    readonly error?: { readonly message: string };
  };
  readonly details: { readonly message: string; readonly key: string };
}

/** The text that a refusal carries for the customer; undefined: none is configured. */
const customMessageOf = ({ customMessage }: Refusal<string>): string | undefined =>
  typeof customMessage === 'string' && customMessage !== '' ? customMessage : undefined;

/** Renders a refusal of a redeemable as `result.error` and `result.details`; nothing else that it carries is shown. */
export const refusalAnswer = (
  refusal: Refusal<string>,
  { code, message, requestId }: RefusalWording,
): RefusalAnswer => {
  const { refused: key, details, redemption, resourceId, resourceType } = refusal;
  const custom = customMessageOf(refusal);
  return {
    error: {
      code,
      key,
      message,
      ...(details === undefined ? {} : { details }),
      ...(redemption === undefined ? {} : { redemption }),
      request_id: requestId,
      ...(resourceId === undefined ? {} : { resource_id: resourceId }),
      ...(resourceType === undefined ? {} : { resource_type: resourceType }),
      ...(custom === undefined ? {} : { error: { message: custom } }),
    },
    details: { message: custom ?? message, key },
  };
};
