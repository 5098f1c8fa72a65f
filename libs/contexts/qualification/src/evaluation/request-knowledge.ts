import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import { isRefused, type RequestContext } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import type { RequestParties } from '../request/redeemables-request';
import type { Candidate, Knowledge } from './evaluate';
import {
  countingItems,
  type LoadedOrder,
  orderMetadata,
  type RequestOrder,
  requestOrder,
} from './request-order';
import { type Demanding, RuleInputsLoader } from './rule-inputs';

/** A request whose customer and order are loaded, with the candidates that are evaluated for it. */
export interface LoadedRequest extends Pick<Demanding, 'segmentsOf'> {
  request: Pick<RequestParties, 'metadata'>;
  customer: CustomerSnapshot | null;
  loaded: LoadedOrder | null;
  candidates: readonly Candidate[];
}

/** What of a candidate decides what must be loaded. */
const demanding = ({ kind, found, rules = [] }: Candidate) => ({
  redeemable: {
    object: 'voucher' as const,
    id: '',
    incentive: kind && !isRefused(found) ? kind.calculable(found, { ownerDecides: false }).incentive : null,
  },
  rules,
});

/** What formulas read of a request besides the order and its redeemables. Source: reference 01 §8. */
const formulaFacts = (
  { metadata }: LoadedRequest['request'],
  customer: CustomerSnapshot | null,
  order: RequestOrder | null,
): NonNullable<Knowledge['facts']> => ({
  customer: customer && { metadata: customer.metadata, birthdate: customer.birthdate },
  redemptionMetadata: metadata ?? {},
  orderMetadata: order ? orderMetadata(order) : {},
});

/** Loads what the candidates of a request look at. Source: reference 02 §4.1, architecture §8 step 1. */
@Injectable()
export class RequestKnowledge {
  constructor(private readonly inputs: RuleInputsLoader) {}

  /** Returns the order with the records of its lines, and what rules, scopes and formulas know of the request. Refuses an order that
   *  cannot be calculated with. */
  async of(
    context: RequestContext,
    { request, customer, loaded, candidates, segmentsOf }: LoadedRequest,
  ): Promise<{ order: RequestOrder | null; knowledge: Knowledge } | QualificationRefusal> {
    const { segments, items } = await this.inputs.load(context, {
      candidates: candidates.map(demanding),
      customer,
      lines: loaded ? countingItems(loaded) : [],
      found: loaded ? loaded.found : [],
      ...(segmentsOf ? { segmentsOf } : {}),
    });
    const order = loaded && requestOrder(loaded.sent, loaded.stored, items);
    if (isRefused(order)) return order;
    const knowledge: Knowledge = {
      customer: customer && { segments, tiers: [], metadata: customer.metadata },
      redemption: {
        metadata: request.metadata ?? {},
        apiKeyId: context.apiKey?.id ?? null,
        userLogin: context.user?.login ?? null,
      },
      orderMetadata: order ? orderMetadata(order) : {},
      messages: context.project.errorMessages ?? {},
      catalogue: items.catalogue,
      facts: formulaFacts(request, customer, order),
    };
    return { order, knowledge };
  }
}
