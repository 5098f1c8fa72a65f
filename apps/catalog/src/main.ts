import { serviceEdge } from '@scrip/edge';
import { catalogContext } from '@scrip/catalog';
import { runService } from '@scrip/service';

void runService({ context: catalogContext, edge: serviceEdge });
