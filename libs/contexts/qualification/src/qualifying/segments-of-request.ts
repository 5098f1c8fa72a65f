import type { CustomerSnapshot, CustomersPort } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import type { RequestDemands } from '@scrip/order-preview';

/** Which segments hold the customer of one request, each asked for once. */
export class SegmentsOfRequest {
  private readonly asked = new Set<string>();
  private readonly members = new Set<string>();
  private isComplete = false;

  /** `customer` null: the request has none, who is in no segment. */
  constructor(
    private readonly customers: Pick<CustomersPort, 'matchSegments'>,
    private readonly context: RequestContext,
    private readonly customer: CustomerSnapshot | null,
  ) {}

  /** All that are known after these were asked for. */
  readonly of = async ({ ids, all }: RequestDemands['segments']): Promise<readonly string[]> => {
    const missing = ids.filter((id) => !this.asked.has(id));
    if (this.customer && !this.isComplete && (all || missing.length > 0)) {
      const { segment_ids } = await this.customers.matchSegments(this.context, {
        customer: this.customer,
        segment_ids: all ? null : missing,
      });
      for (const id of segment_ids) this.members.add(id);
      for (const id of missing) this.asked.add(id);
      this.isComplete ||= all;
    }
    return [...this.members];
  };
}
