import { customersContext } from '@scrip/customers';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({ context: customersContext, edge: serviceEdge });
