import { Injectable } from '@nestjs/common';
import { qualifyingPerCall } from '@scrip/contracts/campaigns';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import {
  type BusinessClock,
  type RequestContext,
  isFromBrowser,
  isRefused,
  newId,
  randomIds,
} from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { type Judgement, requestTerms } from '@scrip/order-preview';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { type AskedTerms, CandidateReads, type Place } from '../candidates/candidates.reads';
import type { QualificationRefusal } from '../qualification.refusals';
import { redeemerOf } from '../limits/redeemer';
import { Preparation } from '../evaluation/preparation';
import type { RequestParties } from '../request/redeemables-request';
import { ProjectSettings } from '../evaluation/project-settings';
import type { RequestOrder } from '../evaluation/request-order';
import { provenIdentity } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import type { CandidateFilters } from '../candidates/candidate-filters';
import { CandidateSource, type SourceWanted } from './candidate-source';
import { type Cursor, placeOf } from './cursor';
import { Judge, type Judged, type QualifiedCandidate } from './judge';
import type { FoundSoFar, Placed } from './qualification-page';
import { RequestLines } from './request-lines';
import type { CandidateScope } from './scenario-candidates';
import { SegmentsOfRequest } from './segments-of-request';

/** Candidates that one call looks at, where it says nothing else. */
export const examinedMax = 1_000;

/** Candidates of the first page that is judged: most calls need no other. */
const firstPage = 20;

const nothingAsked: AskedTerms = { segments: [], collections: [], moreCollections: false };

/** A candidate that qualifies, in its place. */
export type Found = QualifiedCandidate & Placed;

/** Where a request looks for candidates, and how they are judged. */
export interface Sought {
  readonly scope: CandidateScope;
  readonly judgement: Judgement;
  readonly filters: CandidateFilters;
  /** Whether limits are judged too. */
  readonly countsLimits: boolean;
}

/** A search that has begun. `order`: with the records of its lines. */
export interface CandidateSearch {
  readonly customer: CustomerSnapshot | null;
  readonly order: RequestOrder | null;
  readonly settings: StackingSettings;
  readonly wanted: SourceWanted;
  readonly judged: Judged;
}

/** Where a search begins and ends. `after` null: with the newest candidate; `until`: enough is found; `examined`: looks at no more
 *  candidates than these. */
export interface SearchBounds {
  readonly after: Cursor | null;
  readonly until: (found: readonly Found[]) => boolean;
  readonly examined: number;
}

/** Counts the candidates of each instant, in their order. */
const ordinals = (): ((place: Place) => Cursor) => {
  let last: Cursor = { at: NaN, ordinal: 0 };
  return ({ created_at }) => {
    const at = Date.parse(created_at);
    last = { at, ordinal: at === last.at ? last.ordinal + 1 : 1 };
    return last;
  };
};

/** Searches the index and the customer's wallet for what qualifies. Source: reference 02 §8, §10. */
@Injectable()
export class CandidateSearches {
  constructor(
    private readonly preparation: Preparation,
    private readonly settings: ProjectSettings,
    private readonly candidates: CandidateReads,
    private readonly source: CandidateSource,
    private readonly lines: RequestLines,
    private readonly judge: Judge,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Loads what a request names, and stores nothing. Refuses what makes the whole call senseless: an unknown customer or order, an
   *  order that cannot be calculated with. */
  async begin(
    context: RequestContext,
    request: RequestParties,
    sought: Sought,
  ): Promise<CandidateSearch | QualificationRefusal> {
    const { index } = sought.scope;
    const [parties, settings, asked, tracked] = await Promise.all([
      this.preparation.partiesOf(context, request, randomIds, { store: false }),
      this.settings.stackingOf(context),
      index ? this.candidates.asked(context, index.space) : nothingAsked,
      this.trackedCustomer(context, request),
    ]);
    if (isRefused(parties)) return parties;
    const { loaded } = parties;
    const customer = parties.customer ?? tracked;
    const segments = new SegmentsOfRequest(this.customers, context, customer);
    const [order, mine] = await Promise.all([
      this.lines.of(context, loaded, asked),
      segments.of({ ids: asked.segments ?? [], all: asked.segments === null }),
    ]);
    if (isRefused(order)) return order;
    const now = this.clock.now(context.project);
    const holder = this.holderOf(context, request, customer);
    const wanted = this.wanted(sought, { holder, order, segments: mine, asked, now });
    const judged: Judged = {
      request,
      customer,
      loaded,
      segments,
      settings,
      judgement: sought.judgement,
      now,
      redeemer: sought.countsLimits ? redeemerOf(context, customer) : null,
    };
    return { customer, order, settings, wanted, judged };
  }

  /** Judges candidates page by page, the newest first, until enough is found or looked at. Refuses an order that cannot be calculated
   *  with. */
  async find(
    context: RequestContext,
    { wanted, judged }: Pick<CandidateSearch, 'wanted' | 'judged'>,
    { after, until, examined: most }: SearchBounds,
  ): Promise<FoundSoFar<Found> | QualificationRefusal> {
    const found: Found[] = [];
    const count = ordinals();
    let examined: Cursor | null = after;
    let [behind, looked, limit] = [after && placeOf(after), 0, firstPage];
    for (;;) {
      const page = await this.source.page(context, wanted, {
        after: behind,
        limit: Math.min(limit, most - looked),
      });
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
      if (page.ended || until(found) || looked >= most) return { found, examined, ended: page.ended };
      limit = qualifyingPerCall;
    }
  }

  /** The stored customer whose source id the tracking id stands for, where no other is named; null: there is none. */
  private async trackedCustomer(
    context: RequestContext,
    { customer, tracking_id }: RequestParties,
  ): Promise<CustomerSnapshot | null> {
    if (customer || tracking_id === undefined) return null;
    const source_id = this.tracking.identityOf(context.project.id, tracking_id);
    const found = await this.customers.resolve(context, {
      ...{ customer: { source_id }, store: false },
      new_id: newId('cust_'),
    });
    return isRefused(found) || found.id === '' ? null : found;
  }

  /** Where the candidates come from. */
  private wanted(
    { scope: { index, held }, judgement, filters }: Sought,
    {
      holder,
      order,
      segments,
      asked,
      now,
    }: {
      holder: string | null;
      order: RequestOrder | null;
      segments: readonly string[];
      asked: AskedTerms;
      now: Date;
    },
  ): SourceWanted {
    const hasLines = (order?.state.lines.length ?? 0) > 0;
    if (judgement.products && !hasLines) return { index: null, held: null, filters };
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
      filters,
    };
  }

  /** The customer whose codes may be shown; null: none. Codes are worth money: a browser sees those of a customer whose identity
   *  the request proves. Source: reference 02 §8, reference 07 §2.3. */
  private holderOf(
    context: RequestContext,
    request: RequestParties,
    customer: CustomerSnapshot | null,
  ): string | null {
    if (!customer?.id) return null;
    if (!isFromBrowser(context)) return customer.id;
    const proven = provenIdentity(request, this.tracking, context.project.id);
    return proven !== null && proven === customer.source_id ? customer.id : null;
  }
}
