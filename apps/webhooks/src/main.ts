import { webhooksContext } from '@scrip/webhooks';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({ context: webhooksContext, edge: serviceEdge });
