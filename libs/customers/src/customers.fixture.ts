import type { OrderSnapshot, Outcome, QualificationPort } from '@scrip/contracts';
import { EventStore, eventStoreMigration } from '@scrip/event-store';
import { type ProjectContext, type RequestContext, Secret, fixedClock, newId } from '@scrip/kernel';
import {
  type CalculatedOrder,
  calculate,
  defaultStackingSettings,
  normaliseOrder,
} from '@scrip/order-calculation';
import { Metrics } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { CustomerHandlers } from './customer/customer.handlers';
import { CustomerLookup } from './customer/customer-lookup';
import { CustomerVault } from './customer/customer-vault';
import { customersMigrations } from './customers.migration';
import { CustomersPortHandlers } from './customers.port-handlers';
import { OrderClaimHandlers } from './order/order-claims.handlers';
import { OrderClaimTable } from './order/order-claim-table';
import { OrderReader } from './order/order-reader';
import { OrderRefundHandlers } from './order/order-refund.handlers';
import { OrderSettlement } from './order/order-settlement';
import { OrderSettlementLoop } from './order/order-settlement-loop';
import { OrderVerdicts } from './order/order-verdicts';

const project: ProjectContext = {
  id: 'proj_1',
  name: 'Demo',
  timezone: 'UTC',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: 'v2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
};

/** A merchant's call that nobody waits for. */
export const requestContext = (
  requestId = 'v-000000000000000001',
  projectId = project.id,
): RequestContext => ({
  requestId,
  project: { ...project, id: projectId },
  channel: 'API',
  apiKey: { id: 'app_1', name: 'Shop' },
  user: null,
  role: null,
  scopes: null,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  traceparent: null,
});

/** The coordinator as the spec writes it: `outcomes` stand; to ask is to abandon. */
export class FakeCoordinator implements QualificationPort {
  readonly outcomes = new Map<string, Outcome>();
  readonly asked: string[] = [];

  record(redemptionId: string, ...claims: string[]): Outcome {
    return this.stands({ redemption_id: redemptionId, verdict: 'RECORDED', claims });
  }

  abandon(redemptionId: string): Outcome {
    return this.stands({ redemption_id: redemptionId, verdict: 'ABANDONED', claims: [] });
  }

  resolveOutcomes(_: RequestContext, { redemption_ids }: { redemption_ids: string[] }): Promise<Outcome[]> {
    this.asked.push(...redemption_ids);
    return Promise.resolve(redemption_ids.map((id) => this.outcomes.get(id) ?? this.abandon(id)));
  }

  readOutcomes(_: RequestContext, { redemption_ids }: { redemption_ids: string[] }): Promise<Outcome[]> {
    return Promise.resolve(redemption_ids.flatMap((id) => this.outcomes.get(id) ?? []));
  }

  private stands(outcome: Outcome): Outcome {
    this.outcomes.set(outcome.redemption_id, outcome);
    return outcome;
  }
}

/** One process of the context, without Nest. */
export interface CustomersProcess {
  dataSource: DataSource;
  eventStore: EventStore;
  port: CustomersPortHandlers;
  loop: OrderSettlementLoop;
  vault: CustomerVault;
}

const startProcess = async (url: string, coordinator: QualificationPort): Promise<CustomersProcess> => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    poolSize: 12,
    installExtensions: false,
    migrations: [eventStoreMigration, ...customersMigrations],
  }).initialize();
  await dataSource.runMigrations();
  const eventStore = new EventStore('customers', dataSource);
  await eventStore.start();
  const clock = fixedClock('2026-03-31T10:00:00.000Z');
  const vault = new CustomerVault({ masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')) });
  const customers = new CustomerHandlers(eventStore, clock, new CustomerLookup(dataSource, vault), vault);
  const table = new OrderClaimTable(dataSource);
  const reader = new OrderReader(dataSource);
  const verdicts = new OrderVerdicts(coordinator, new OrderSettlement(eventStore, table));
  const claims = new OrderClaimHandlers(table, reader, verdicts);
  const refunds = new OrderRefundHandlers(eventStore, table, verdicts);
  const port = new CustomersPortHandlers(customers, reader, claims, verdicts, refunds);
  const loop = new OrderSettlementLoop(table, verdicts, clock, new Metrics());
  return { dataSource, eventStore, port, loop, vault };
};

/** A context with a database of its own; `second()` starts another process beside it. */
export const startCustomers = async (name: string) => {
  const url = await createDatabase(name);
  const coordinator = new FakeCoordinator();
  const processes = [await startProcess(url, coordinator)];
  return {
    ...processes[0]!,
    coordinator,
    second: async (): Promise<CustomersProcess> => {
      const another = await startProcess(url, coordinator);
      processes.push(another);
      return another;
    },
    stop: async (): Promise<void> => {
      await Promise.all(processes.map(({ dataSource }) => dataSource.destroy()));
    },
  };
};

/** What a redemption of `amountOff` makes of an order: of a new one of 1000, or of `stored`. */
export const draftOf = (
  redemptionId: string,
  {
    stored,
    amountOff = 100,
    ...fields
  }: { stored?: OrderSnapshot; amountOff?: number } & Partial<OrderSnapshot> = {},
): OrderSnapshot => {
  const state = normaliseOrder(
    stored ? {} : { items: [{ product_id: 'prod_1', price: 500, quantity: 2 }] },
    stored ? { namedBy: 'id', order: stored } : null,
  );
  if ('refused' in state) throw new Error('no order');
  const calculation = calculate(
    state,
    [{ object: 'voucher', id: 'CODE', incentive: { discount: { type: 'AMOUNT', amount_off: amountOff } } }],
    defaultStackingSettings,
  );
  return {
    id: stored?.id ?? newId('ord_'),
    source_id: stored?.source_id ?? null,
    status: 'PAID',
    customer_id: 'cust_1',
    referrer_id: null,
    ...(calculation.order as CalculatedOrder),
    metadata: {},
    redemptions: {
      ...stored?.redemptions,
      [redemptionId]: {
        date: '2026-03-31T10:00:00.000Z',
        related_object_type: 'voucher',
        related_object_id: 'v_1',
        related_object_parent_id: 'camp_1',
      },
    },
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: stored ? '2026-03-31T10:00:00.000Z' : null,
    ...fields,
  };
};
