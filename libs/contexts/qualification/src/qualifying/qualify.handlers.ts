import { Injectable } from '@nestjs/common';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { scenarios } from '@scrip/order-preview';
import type { QualificationRefusal } from '../qualification.refusals';
import { type CandidateSearch, CandidateSearches, examinedMax, type Found } from './candidate-search';
import { isEnough, type Paged, pageByDeal, pageInOrder } from './qualification-page';
import type { QualificationCall } from './qualification-request';
import { QualificationRenderer } from './qualification.renderer';
import type { QualificationResponse } from './qualification.wire';
import { scopes } from './scenario-candidates';

/** Finds what a customer could use. Source: reference 02 §8. */
@Injectable()
export class QualifyHandlers {
  constructor(
    private readonly searches: CandidateSearches,
    private readonly renderer: QualificationRenderer,
  ) {}

  /** Stores nothing. Refuses what makes the whole call senseless: an unknown customer or order, an order that cannot be calculated
   *  with. */
  async qualify(
    context: RequestContext,
    call: QualificationCall,
  ): Promise<QualificationResponse | QualificationRefusal> {
    const search = await this.searches.begin(context, call, {
      scope: scopes[call.scenario],
      judgement: scenarios[call.scenario],
      // A stack is of no type that filters name.
      filters: call.scenario === 'PROMOTION_STACKS' ? { ...call.filters, resource_type: {} } : call.filters,
      // Qualifications read no counters. Source: reference 02 §10.
      countsLimits: false,
    });
    if (isRefused(search)) return search;
    const found = await this.found(context, call, search);
    return isRefused(found) ? found : this.renderer.render(context, call, { ...found, ...search });
  }

  private async found(
    context: RequestContext,
    { limit, after, sorting }: QualificationCall,
    search: CandidateSearch,
  ): Promise<Paged<Found> | QualificationRefusal> {
    const examined = examinedMax;
    if (sorting === 'DEFAULT') {
      const until = (found: readonly Found[]) => isEnough(found, limit);
      const soFar = await this.searches.find(context, search, { after, until, examined });
      return isRefused(soFar) ? soFar : pageInOrder(soFar, limit);
    }
    const all = await this.searches.find(context, search, { after: null, until: () => false, examined });
    return isRefused(all) ? all : pageByDeal(all.found, { limit, after, sorting });
  }
}
