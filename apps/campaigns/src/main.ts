import { campaignsContext } from '@scrip/campaigns';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({ context: campaignsContext, edge: serviceEdge });
