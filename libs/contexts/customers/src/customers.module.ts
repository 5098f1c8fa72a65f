import { Module } from '@nestjs/common';
import { customersPort } from '@scrip/contracts/customers';
import { servePort } from '@scrip/rpc';
import { CustomerHandlers } from './customer/customer.handlers';
import { CustomerLookup } from './customer/customer-lookup';
import { customerVaultProvider } from './customer/customer-vault.provider';
import { CustomersPortHandlers } from './customers.port-handlers';
import { OrderClaims } from './order/order-claims';
import { OrderReader } from './order/order-reader';

/** The context `customers`. Its DataSource and EventStore come from the process that boots it. */
@Module({
  providers: [
    customerVaultProvider,
    CustomerLookup,
    CustomerHandlers,
    OrderReader,
    OrderClaims,
    servePort(customersPort, CustomersPortHandlers),
  ],
})
export class CustomersModule {}
