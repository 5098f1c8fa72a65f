import type { MigrationClass } from '@scrip/event-store';
import { CreateLookupKeys1796500000000 } from '@scrip/service';
import {
  CreateErasedNames1800000002700,
  CreateTaskBatches1797100000001,
  CreateTasks1797100000000,
} from '@scrip/tasks';
import { CallsWriteOrders1800000000700 } from './calls-write-orders.migration';
import { CreateCustomers1763700000000 } from './create-customers.migration';
import { CreateActivities1800000002320 } from './create-activities.migration';
import { CreateSummaries1800000001900 } from './create-summaries.migration';
import { CustomersAreFilteredInIndexes1800000002150 } from './customers-are-filtered-in-indexes.migration';
import { CustomersHaveConsents1800000002160 } from './customers-have-consents.migration';
import { CustomersAreListed1800000000500 } from './customers-are-listed.migration';
import { CreateReferrals1802100000003 } from './create-referrals.migration';
import { CreateSegmentActivities1800000003100 } from './create-segment-activities.migration';
import { CreateSegments1800000000600 } from './create-segments.migration';
import { CustomersHoldGiftCards1802100000009 } from './customers-hold-gift-cards.migration';
import { CustomersKnowPublications1803300000160 } from './customers-know-publications.migration';
import { ErasedNames1800000001850 } from './erased-names.migration';
import { ErasedSourcesAreKnown1803400000160 } from './erased-sources-are-known.migration';
import { OrderClaimsShareColumns1764000000000 } from './order-claims-share-columns.migration';
import { OrdersAreListed1800000000800 } from './orders-are-listed.migration';
import { OrdersLeaveWithTheirCustomers1803200000160 } from './orders-leave-with-their-customers.migration';
import { OrdersNameTheirEvent1764000000100 } from './orders-name-their-event.migration';
import { SegmentsAreKept1800000000900 } from './segments-are-kept.migration';

/** The schema of the context `customers`. */
export const customersMigrations: MigrationClass[] = [
  CreateCustomers1763700000000,
  OrderClaimsShareColumns1764000000000,
  OrdersNameTheirEvent1764000000100,
  CreateLookupKeys1796500000000,
  CreateTasks1797100000000,
  CreateTaskBatches1797100000001,
  CustomersAreListed1800000000500,
  CreateSegments1800000000600,
  CallsWriteOrders1800000000700,
  OrdersAreListed1800000000800,
  SegmentsAreKept1800000000900,
  ErasedNames1800000001850,
  CreateSummaries1800000001900,
  CustomersAreFilteredInIndexes1800000002150,
  CustomersHaveConsents1800000002160,
  CreateActivities1800000002320,
  CreateErasedNames1800000002700,
  CreateSegmentActivities1800000003100,
  CreateReferrals1802100000003,
  CustomersHoldGiftCards1802100000009,
  OrdersLeaveWithTheirCustomers1803200000160,
  CustomersKnowPublications1803300000160,
  ErasedSourcesAreKnown1803400000160,
];
