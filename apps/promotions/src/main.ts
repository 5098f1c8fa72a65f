import { serviceEdge } from '@scrip/edge';
import { promotionsContext } from '@scrip/promotions';
import { runService } from '@scrip/service';

void runService({ context: promotionsContext, edge: serviceEdge });
