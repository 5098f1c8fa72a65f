import { Injectable } from '@nestjs/common';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { type BusinessClock, isRefused, randomIds, type RequestContext } from '@scrip/kernel';
import type { Judgement } from '@scrip/order-preview';
import type { StackingSettings } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import type { QualificationRefusal } from '../qualification.refusals';
import { Judge, type QualifiedCandidate } from '../qualifying/judge';
import type { LoadedCandidate } from '../qualifying/loaded-candidate';
import { RequestLines } from '../qualifying/request-lines';
import { SegmentsOfRequest } from '../qualifying/segments-of-request';
import { redeemerOf } from '../limits/redeemer';
import { Preparation } from '../evaluation/preparation';
import type { RequestParties } from '../request/redeemables-request';
import { ProjectSettings } from '../evaluation/project-settings';
import type { ShowOrder } from '../rendering/rendered-redeemable';
import { answeredTrackingId } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import { shownOrder } from '../rendering/shown-order';

/** The tiers that apply, in the order given, and how they are shown. `trackingId` null: it is not. */
export interface JudgedTiers {
  found: readonly QualifiedCandidate[];
  trackingId: string | null;
  show: ShowOrder;
  settings: StackingSettings;
}

/** Judges tiers as validations do, limits included: each by itself on the order as it came. Source: reference 02 §9. */
@Injectable()
export class TiersJudgement {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly lines: RequestLines,
    private readonly judge: Judge,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Stores nothing. `newest`: loads the tiers while the customer and the order are loaded. Refuses as `newest`, an unknown customer or
   *  order, and an order that cannot be calculated with. */
  async of(
    context: RequestContext,
    request: RequestParties,
    newest: () => Promise<readonly LoadedCandidate[] | QualificationRefusal>,
    mode: Judgement['mode'],
  ): Promise<JudgedTiers | QualificationRefusal> {
    const [parties, settings, loaded] = await Promise.all([
      this.preparation.partiesOf(context, request, randomIds, { store: false }),
      this.settings.stackingOf(context),
      newest(),
    ]);
    if (isRefused(parties)) return parties;
    if (isRefused(loaded)) return loaded;
    const { customer } = parties;
    const order = await this.lines.of(context, parties.loaded, { collections: [] });
    if (isRefused(order)) return order;
    const found = await this.judge.of(context, loaded, {
      request,
      customer,
      loaded: parties.loaded,
      segments: new SegmentsOfRequest(this.customers, context, customer),
      settings,
      judgement: { mode, products: null },
      now: this.clock.now(context.project),
      redeemer: redeemerOf(context, customer),
    });
    if (isRefused(found)) return found;
    return {
      found,
      trackingId: answeredTrackingId(this.tracking, context, request, customer),
      show: shownOrder({ order, customer }, context),
      settings,
    };
  }
}
