import { type CalculatedOrder, type StackingSettings, skipMessages } from '@scrip/order-calculation';
import { refusalAnswer } from '@scrip/order-preview';
import { renderOrder } from '@scrip/wire/customers';
import type { Refusal } from '@scrip/kernel';
import { statusAndMessageOf } from '../qualification.refusals';
import type { Expand } from '../request/redeemables-request';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';
import { expandedCategories } from './stacking-rules';

/** Shows the order after a step; `show` adds what the request's order is known by. */
export type ShowOrder = (order: CalculatedOrder) => Parameters<typeof renderOrder>[0];

/** How entries are shown. `isBrowser`: without what the shop notes of tiers (ADR 124). */
export interface RenderOptions {
  expand: ReadonlySet<Expand>;
  isBrowser: boolean;
  settings: StackingSettings;
  requestId: string;
  show: ShowOrder;
}

/** What `options.expand` adds to an entry. Source: reference 03 §3.5. */
const expanded = (
  { described, object }: EvaluatedRedeemable,
  { expand, isBrowser, settings }: Pick<RenderOptions, 'expand' | 'isBrowser' | 'settings'>,
) => ({
  ...(expand.has('redeemable') && described
    ? {
        metadata: isBrowser && object === 'promotion_tier' ? {} : described.metadata,
        ...(described.name === undefined ? {} : { name: described.name }),
        ...(described.campaignName === null ? {} : { campaign_name: described.campaignName }),
        ...(described.campaignId === null ? {} : { campaign_id: described.campaignId }),
      }
    : {}),
  ...(expand.has('category') && described
    ? { categories: expandedCategories(described.categories, settings) }
    : {}),
});

/** Why a redeemable does not apply, as an error body within an answer, and what customers may read of it.
 *  Source: reference 03 §5.2. */
export const renderRefusal = (refusal: Refusal<string>, requestId: string) => {
  const { status: code, message } = statusAndMessageOf(refusal);
  return refusalAnswer(refusal, { code, message, requestId });
};

/** One evaluated redeemable as validations (all of them) and redemptions (those left out) show it.
 *  Source: reference 03 §5.1, §5.2. */
export const renderRedeemable = (evaluated: EvaluatedRedeemable, options: RenderOptions) => {
  const { id, object, calculated } = evaluated;
  const { expand, requestId, show } = options;
  switch (calculated.status) {
    case 'APPLICABLE':
      return {
        status: calculated.status,
        id,
        object,
        ...(calculated.order && expand.has('order') ? { order: renderOrder(show(calculated.order)) } : {}),
        applicable_to: calculated.applicable_to,
        inapplicable_to: calculated.inapplicable_to,
        result: calculated.result,
        ...expanded(evaluated, options),
      };
    case 'INAPPLICABLE': {
      return {
        status: calculated.status,
        id,
        object,
        result: {
          ...renderRefusal(calculated.refusal, requestId),
          ...(calculated.bundle ? { bundle: calculated.bundle } : {}),
        },
        ...expanded(evaluated, options),
      };
    }
    case 'SKIPPED':
      return {
        status: calculated.status,
        id,
        object,
        result: { details: { key: calculated.reason, message: skipMessages[calculated.reason] } },
        ...expanded(evaluated, options),
      };
  }
};
