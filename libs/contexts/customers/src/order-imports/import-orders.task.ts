import { Injectable } from '@nestjs/common';
import { type CatalogPort, catalogPort, storedCatalogues } from '@scrip/contracts/catalog';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata, OrderChecks } from '@scrip/metadata-schemas';
import type { Catalogue } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import { type ItemOutcome, type ItemTask, outcomeOf, type TaskInput } from '@scrip/tasks';
import { importMessage } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { keysOf } from '../bulk/named-customers';
import { CustomerVault } from '../customer/customer-vault';
import type { CreateOrderRequest } from '../order/order-requests';
import { type ImportedOrder, StoreOrders } from './store-orders';

/** What other contexts say of a chunk: the records that its orders name, and the schemas of customers, orders and items. */
interface Prepared {
  catalogues: Catalogue[];
  check: CheckMetadata;
  checks: OrderChecks;
}

const created = { found: false, updated: true };

const outcomeOfOrder = (imported: ImportedOrder): ItemOutcome =>
  outcomeOf(isRefused(imported) ? imported : created);

/** Stores orders of the past. Source: reference 07 §5, §10. */
@Injectable()
export class ImportOrders implements ItemTask<CreateOrderRequest, null, Prepared> {
  readonly kind = 'ORDERS.IMPORT';
  readonly identifiedBy = 'source_id';
  readonly runsToItsEnd = true;

  constructor(
    private readonly orders: StoreOrders,
    private readonly vault: CustomerVault,
    private readonly schemas: MetadataSchemas,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
  ) {}

  identifierOf({ source_id }: CreateOrderRequest): string | null {
    return source_id || null;
  }

  customersOf(projectId: string, input: TaskInput<CreateOrderRequest>): string[] {
    if (!('item' in input)) return [];
    const { customer, referrer, referrer_id } = input.item;
    return keysOf(this.vault, projectId, [customer, referrer, referrer_id ? { id: referrer_id } : null]);
  }

  messageOf(done: number, failed: number): string {
    return importMessage('order')(done, failed, { dry_run: false });
  }

  async prepare(context: RequestContext, requests: readonly CreateOrderRequest[]): Promise<Prepared> {
    const [catalogues, check, checks] = await Promise.all([
      storedCatalogues(
        this.catalog,
        context,
        requests.map(({ items }) => items ?? []),
      ),
      this.schemas.checkOf(context, 'customer'),
      this.schemas.orderChecksOf(context),
    ]);
    return { catalogues, check, checks };
  }

  preparedFor({ catalogues, ...shared }: Prepared, index: number): Prepared {
    return { ...shared, catalogues: catalogues.slice(index, index + 1) };
  }

  async carryOut(
    manager: EntityManager,
    context: RequestContext,
    requests: readonly CreateOrderRequest[],
    _shared: null,
    prepared: Prepared,
  ): Promise<ItemOutcome[]> {
    return (await this.orders.store(manager, context, { requests, ...prepared })).map(outcomeOfOrder);
  }
}
