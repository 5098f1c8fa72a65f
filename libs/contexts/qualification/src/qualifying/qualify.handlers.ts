import { Injectable } from '@nestjs/common';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { qualifyingPerCall } from '@scrip/contracts/campaigns';
import { type BusinessClock, type RequestContext, isFromBrowser, isRefused, randomIds } from '@scrip/kernel';
import { requestTerms, scenarios } from '@scrip/order-preview';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { type AskedTerms, CandidateReads, type Place } from '../candidates/candidates.reads';
import type { QualificationRefusal } from '../qualification.refusals';
import { provenIdentity } from '../validation/order-access';
import { Preparation } from '../validation/preparation';
import { ProjectSettings } from '../validation/project-settings';
import type { RequestOrder } from '../validation/request-order';
import type { TrackingIds } from '../validation/tracking-id';
import { InjectTrackingIds } from '../validation/tracking-id.provider';
import { CandidateSource, type SourceWanted } from './candidate-source';
import { type Cursor, placeOf } from './cursor';
import { Judge, type Judged, type QualifiedCandidate } from './judge';
import {
  type FoundSoFar,
  isEnough,
  type Paged,
  pageByDeal,
  pageInOrder,
  type Placed,
} from './qualification-page';
import type { QualificationCall } from './qualification-request';
import { QualificationRenderer } from './qualification.renderer';
import type { QualificationResponse } from './qualification.wire';
import { RequestLines } from './request-lines';
import { type CandidateScope, scopes } from './scenario-candidates';
import { SegmentsOfRequest } from './segments-of-request';

/** Candidates that one call looks at. */
export const examinedMax = 1_000;

/** Candidates of the first page that is judged: most calls need no other. */
const firstPage = 20;

const nothingAsked: AskedTerms = { segments: [], collections: [], moreCollections: false };

type Found = QualifiedCandidate & Placed;

/** Counts the candidates of each instant, in their order. */
const ordinals = (): ((place: Place) => Cursor) => {
  let last: Cursor = { at: NaN, ordinal: 0 };
  return ({ created_at }) => {
    const at = Date.parse(created_at);
    last = { at, ordinal: at === last.at ? last.ordinal + 1 : 1 };
    return last;
  };
};

/** Finds what a customer could use. Source: reference 02 §8. */
@Injectable()
export class QualifyHandlers {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly candidates: CandidateReads,
    private readonly source: CandidateSource,
    private readonly lines: RequestLines,
    private readonly judge: Judge,
    private readonly renderer: QualificationRenderer,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Stores nothing. Refuses what makes the whole call senseless: an unknown customer or order, an order that cannot be calculated
   *  with. */
  async qualify(
    context: RequestContext,
    call: QualificationCall,
  ): Promise<QualificationResponse | QualificationRefusal> {
    const scope = scopes[call.scenario];
    const [parties, settings, asked] = await Promise.all([
      this.preparation.partiesOf(context, call, randomIds, { store: false }),
      this.settings.stackingOf(context),
      scope.index ? this.candidates.asked(context, scope.index.space) : nothingAsked,
    ]);
    if (isRefused(parties)) return parties;
    const { customer, loaded } = parties;
    const segments = new SegmentsOfRequest(this.customers, context, customer);
    const [order, mine] = await Promise.all([
      this.lines.of(context, loaded, asked),
      segments.of({ ids: asked.segments ?? [], all: asked.segments === null }),
    ]);
    if (isRefused(order)) return order;
    const now = this.clock.now(context.project);
    const judged: Judged = {
      request: call,
      customer,
      loaded,
      segments,
      settings,
      judgement: scenarios[call.scenario],
      now,
      // Qualifications read no counters. Source: reference 02 §10.
      redeemer: null,
    };
    const wanted = this.wanted(context, call, { scope, customer, order, segments: mine, asked, now });
    const found = await this.found(context, call, wanted, judged);
    if (isRefused(found)) return found;
    return this.renderer.render(context, call, { ...found, customer, order, settings });
  }

  /** Where the candidates come from. */
  private wanted(
    context: RequestContext,
    call: QualificationCall,
    {
      scope: { index, held },
      customer,
      order,
      segments,
      asked,
      now,
    }: {
      scope: CandidateScope;
      customer: CustomerSnapshot | null;
      order: RequestOrder | null;
      segments: readonly string[];
      asked: AskedTerms;
      now: Date;
    },
  ): SourceWanted {
    const hasLines = (order?.state.lines.length ?? 0) > 0;
    const holder = this.holderOf(context, call, customer);
    if (scenarios[call.scenario].products && !hasLines)
      return { index: null, held: null, filters: call.filters };
    const terms = index && requestTerms({ segments, order: order && order.state }, index.terms);
    return {
      index: index &&
        terms && {
          space: index.space,
          terms,
          kinds: index.kinds,
          now,
          // Lines may be in collections that were not asked for.
          anyCollection: hasLines && asked.moreCollections,
        },
      held: held && holder !== null ? { customer_id: holder, among: held } : null,
      // A stack is of no type that filters name.
      filters: call.scenario === 'PROMOTION_STACKS' ? { ...call.filters, resource_type: {} } : call.filters,
    };
  }

  /** The customer whose codes may be shown; null: none. Codes are worth money: a browser sees those of a customer whose identity
   *  the request proves. Source: reference 02 §8, reference 07 §2.3. */
  private holderOf(
    context: RequestContext,
    call: QualificationCall,
    customer: CustomerSnapshot | null,
  ): string | null {
    if (!customer?.id) return null;
    if (!isFromBrowser(context)) return customer.id;
    const proven = provenIdentity(call, this.tracking, context.project.id);
    return proven !== null && proven === customer.source_id ? customer.id : null;
  }

  private async found(
    context: RequestContext,
    { limit, after, sorting }: QualificationCall,
    wanted: SourceWanted,
    judged: Judged,
  ): Promise<Paged<Found> | QualificationRefusal> {
    if (sorting === 'DEFAULT') {
      const soFar = await this.walk(context, wanted, judged, {
        after,
        until: (found) => isEnough(found, limit),
      });
      return isRefused(soFar) ? soFar : pageInOrder(soFar, limit);
    }
    const all = await this.walk(context, wanted, judged, { after: null, until: () => false });
    return isRefused(all) ? all : pageByDeal(all.found, { limit, after, sorting });
  }

  /** Judges candidates page by page until enough is found, or `examinedMax` were looked at. */
  private async walk(
    context: RequestContext,
    wanted: SourceWanted,
    judged: Judged,
    { after, until }: { after: Cursor | null; until: (found: readonly Found[]) => boolean },
  ): Promise<FoundSoFar<Found> | QualificationRefusal> {
    const found: Found[] = [];
    const count = ordinals();
    let examined: Cursor | null = after;
    let [behind, looked, limit] = [after && placeOf(after), 0, firstPage];
    for (;;) {
      const page = await this.source.page(context, wanted, { after: behind, limit });
      const places = new Map(page.examined.map((place) => [place.id, count(place)]));
      const isShown = ({ place }: { place: Place }): boolean => {
        const { at, ordinal } = places.get(place.id)!;
        return after !== null && at === after.at && ordinal <= after.ordinal;
      };
      const judgedPage = await this.judge.of(
        context,
        page.loaded.filter((one) => !isShown(one)),
        judged,
      );
      if (isRefused(judgedPage)) return judgedPage;
      for (const one of judgedPage) {
        const { place } = one.loaded;
        const amount = one.order?.total_applied_discount_amount ?? 0;
        found.push({ ...one, ...places.get(place.id)!, id: place.id, amount });
      }
      behind = page.examined.at(-1) ?? behind;
      examined = page.examined.length > 0 ? places.get(behind!.id)! : examined;
      looked += page.examined.length;
      if (page.ended || until(found) || looked >= examinedMax) return { found, examined, ended: page.ended };
      limit = qualifyingPerCall;
    }
  }
}
