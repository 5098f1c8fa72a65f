import { operationsContext } from '@scrip/operations';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({ context: operationsContext, edge: serviceEdge });
