import { Module } from '@nestjs/common';
import { customersPort } from '@scrip/contracts/customers';
import { exportsOfContext } from '@scrip/exports';
import { servePort } from '@scrip/rpc';
import { ActivityHttp } from './activity/activity.http';
import { ActivityProjection } from './activity/activity.projection';
import { SegmentActivityHttp } from './segment-activity/segment-activity.http';
import { SegmentActivityProjection } from './segment-activity/segment-activity.projection';
import { SegmentActivityReads } from './segment-activity/segment-activity.reads';
import { ActivityReads } from './activity/activity.reads';
import { BulkHttp } from './bulk/bulk.http';
import { customerTasks } from './bulk/customer-tasks';
import { ConsentHandlers } from './consent/consent.handlers';
import { ConsentHttp } from './consent/consent.http';
import { BrowserCustomerHttp } from './customer/browser-customer.http';
import { CustomerErasures } from './customer/customer-erasures';
import { CustomerHandlers } from './customer/customer.handlers';
import { CustomerHttp } from './customer/customer.http';
import { ErasureAuditConsumer } from './customer/erasure-audit.consumer';
import { ErasureConsumer } from './customer/erasure.consumer';
import { CustomerLists } from './customer/customer-lists.reads';
import { CustomerReads } from './customer/customer.reads';
import { customerVaultProvider } from './customer/customer-vault.provider';
import { CustomerWriting } from './customer/customer-writing';
import { ListingFiller } from './customer/listing-filler';
import { UpsertCustomers } from './customer/upsert-customers';
import { CustomersPortHandlers } from './customers.port-handlers';
import { ImportHttp } from './imports/import.http';
import { CustomerExport } from './exports/customer.export';
import { OrderExport } from './exports/order.export';
import { OrderClaims } from './order/order-claims';
import { OrderHandlers } from './order/order.handlers';
import { OrderHttp } from './order/order.http';
import { OrderLists } from './order/order-lists.reads';
import { OrderReads } from './order/order.reads';
import { CustomersSeed } from './seeding/customers-seed';
import { OrderImportHttp } from './order-imports/order-import.http';
import { StoreOrders } from './order-imports/store-orders';
import { Candidates } from './segment/candidates';
import { MemberRemovalJob } from './segment/member-removal.job';
import { MemberRemovals } from './segment/member-removals.consumer';
import { MembershipConsumer } from './segment/membership.consumer';
import { SegmentWalks, segmentJobs } from './segment/membership.jobs';
import { Memberships } from './segment/memberships';
import { Retests } from './segment/retests';
import { SegmentHandlers } from './segment/segment.handlers';
import { SegmentHttp } from './segment/segment.http';
import { RestoreSegments } from './segment/restore-segments';
import { SegmentReads } from './segment/segment.reads';
import { SegmentLocations } from './segment/segment-locations';
import { FilterContexts, LocationMatcher, MetadataSchemas } from '@scrip/metadata';
import { CustomerBlocksReads } from './summary/customer-blocks.reads';
import { CustomersWithBlocks } from './summary/customers-with-blocks.reads';
import { SummariesProjection } from './summary/summaries.projection';
import { type ContextDefinition, lookupKeysColumn } from '@scrip/service';
import { batchKeysColumn } from '@scrip/tasks';
import { customerKeysColumn } from './customer/customer-vault';
import { customersMigrations } from './migrations';

/** The context `customers`. Its DataSource and EventStore come from the process that boots it. */
@Module({
  controllers: [
    CustomerHttp,
    BrowserCustomerHttp,
    ConsentHttp,
    ErasureConsumer,
    ErasureAuditConsumer,
    BulkHttp,
    ImportHttp,
    SegmentHttp,
    MemberRemovals,
    MembershipConsumer,
    SummariesProjection,
    ActivityHttp,
    ActivityProjection,
    SegmentActivityHttp,
    SegmentActivityProjection,
    OrderHttp,
    OrderImportHttp,
    ...customerTasks.controllers,
  ],
  providers: [
    MetadataSchemas,
    customerVaultProvider,
    CustomerReads,
    CustomerWriting,
    CustomerLists,
    ListingFiller,
    UpsertCustomers,
    CustomerHandlers,
    CustomerErasures,
    OrderReads,
    OrderClaims,
    MemberRemovalJob,
    SegmentWalks,
    segmentJobs.jobs,
    Candidates,
    Memberships,
    Retests,
    CustomerBlocksReads,
    CustomersWithBlocks,
    ActivityReads,
    SegmentActivityReads,
    ConsentHandlers,
    SegmentHandlers,
    RestoreSegments,
    SegmentReads,
    FilterContexts,
    SegmentLocations,
    LocationMatcher,
    OrderHandlers,
    OrderLists,
    CustomersSeed,
    StoreOrders,
    ...customerTasks.providers,
    ...exportsOfContext('customers', [CustomerExport, OrderExport]),
    servePort(customersPort, CustomersPortHandlers),
  ],
})
class CustomersModule {}

/** Customers, their orders and segments. Source: architecture §2. */
export const customersContext: ContextDefinition = {
  name: 'customers',
  module: CustomersModule,
  migrations: customersMigrations,
  sealed: [customerKeysColumn, lookupKeysColumn, batchKeysColumn],
  jobs: true,
};
