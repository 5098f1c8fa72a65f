import { Injectable } from '@nestjs/common';
import { notFound, type RequestContext } from '@scrip/kernel';
import { renderOrder } from '@scrip/wire/customers';
import type { QualificationRefusal } from '../qualification.refusals';
import { RedemptionReads } from './redemption.reads';
import { visibleTo } from '../rendering/shown-to-browsers';
import type { RedemptionsResponse } from './redemption.wire';
import { RedemptionRenderer } from './redemption-renderer';

/** The answer of a redemption that was recorded when its caller could not be answered. Source: architecture §8
 *  Idempotency-Key. */
@Injectable()
export class RecordedAnswers {
  constructor(
    private readonly redemptions: RedemptionReads,
    private readonly renderer: RedemptionRenderer,
  ) {}

  /** From the state of the redemption, or of a stack's parent and children. Refuses `not_found`. */
  async answer(
    context: RequestContext,
    redemptionId: string,
  ): Promise<RedemptionsResponse | QualificationRefusal> {
    const first = await this.redemptions.redemption(context, redemptionId);
    if (!first) return notFound('redemption', redemptionId);
    const redemption = visibleTo(context, first.redemption);
    const [children, customer] = await Promise.all([
      this.redemptions.redemptions(context, redemption.stacked ?? []),
      this.redemptions.customerOf(context, redemption),
    ]);
    const render = (entry: typeof redemption) =>
      this.renderer.render(context.project, visibleTo(context, entry), { customer });
    return {
      redemptions: redemption.stacked
        ? children.map((child) => render(child.redemption))
        : [render(redemption)],
      ...(redemption.stacked ? { parent_redemption: render(redemption) } : {}),
      ...(redemption.order ? { order: renderOrder(redemption.order) } : {}),
      inapplicable_redeemables: [],
      skipped_redeemables: [],
    };
  }
}
