import type { Renderer } from './renderer';
import { campaignRenderers } from './v2024-01-01/campaign.renderers';
import { customerRenderers } from './v2024-01-01/customer.renderers';
import { giftRenderers } from './v2024-01-01/gift.renderers';
import { promotionStackRenderers } from './v2024-01-01/promotion-stack.renderers';
import { promotionTierRenderers } from './v2024-01-01/promotion-tier.renderers';
import { publicationRenderers } from './v2024-01-01/publication.renderers';
import { redemptionRenderers } from './v2024-01-01/redemption.renderers';
import { ruleRenderers } from './v2024-01-01/rule.renderers';
import { voucherRenderers } from './v2024-01-01/voucher.renderers';

const byEventType = (renderers: readonly Renderer[]): ReadonlyMap<string, readonly Renderer[]> =>
  new Map(renderers.map(({ of }) => [of, renderers.filter((renderer) => renderer.of === of)]));

/** Renderers of each webhook version, by the type of the domain event. A dated version is added here. */
const versions: ReadonlyMap<string, ReadonlyMap<string, readonly Renderer[]>> = new Map([
  [
    'v2024-01-01',
    byEventType([
      ...campaignRenderers,
      ...promotionTierRenderers,
      ...promotionStackRenderers,
      ...voucherRenderers,
      ...giftRenderers,
      ...publicationRenderers,
      ...redemptionRenderers,
      ...customerRenderers,
      ...ruleRenderers,
    ]),
  ],
]);

/** Returns the renderers of a domain event for a webhook version; most events have none. Throws `Error` for a version
 *  that does not exist. Source: reference 06 §2. */
export const renderersOf = (webhookVersion: string, eventType: string): readonly Renderer[] => {
  const renderers = versions.get(webhookVersion);
  if (!renderers) throw new Error(`no renderers of webhook version ${webhookVersion}`);
  return renderers.get(eventType) ?? [];
};

/** Returns the kinds that any version renders, each once. */
export const renderedKinds = (): ReadonlySet<string> =>
  new Set([...versions.values()].flatMap((types) => [...types.values()].flat().map(({ kind }) => kind)));

/** Returns whether any version renders such events. */
export const isTold = (eventType: string): boolean =>
  [...versions.values()].some((types) => types.has(eventType));
