import { Module } from '@nestjs/common';
import { customersPort } from '@scrip/contracts';
import { servePort } from '@scrip/rpc';
import { CustomerHandlers } from './customer/customer.handlers';
import { CustomerLookup } from './customer/customer-lookup';
import { CustomerVault } from './customer/customer-vault';
import { CustomersPortHandlers } from './customers.port-handlers';
import { OrderClaimHandlers } from './order/order-claims.handlers';
import { OrderClaimTable } from './order/order-claim-table';
import { OrderReader } from './order/order-reader';
import { OrderRefundHandlers } from './order/order-refund.handlers';
import { OrderSettlement } from './order/order-settlement';
import { OrderSettlementLoop } from './order/order-settlement-loop';
import { OrderVerdicts } from './order/order-verdicts';

/** The context `customers`. Its DataSource and EventStore come from the process that boots it. */
@Module({
  providers: [
    CustomerVault,
    CustomerLookup,
    CustomerHandlers,
    OrderClaimTable,
    OrderReader,
    OrderSettlement,
    OrderVerdicts,
    OrderClaimHandlers,
    OrderRefundHandlers,
    OrderSettlementLoop,
    servePort(customersPort, CustomersPortHandlers),
  ],
})
export class CustomersModule {}
