import { Module } from '@nestjs/common';
import { customersPort } from '@scrip/contracts/customers';
import { servePort } from '@scrip/rpc';
import { CustomerHandlers } from './customer/customer.handlers';
import { CustomerHttp } from './customer/customer.http';
import { CustomerReads } from './customer/customer.reads';
import { customerVaultProvider } from './customer/customer-vault.provider';
import { CustomersPortHandlers } from './customers.port-handlers';
import { OrderClaims } from './order/order-claims';
import { OrderReads } from './order/order.reads';

/** The context `customers`. Its DataSource and EventStore come from the process that boots it. */
@Module({
  controllers: [CustomerHttp],
  providers: [
    customerVaultProvider,
    CustomerReads,
    CustomerHandlers,
    OrderReads,
    OrderClaims,
    servePort(customersPort, CustomersPortHandlers),
  ],
})
export class CustomersModule {}
