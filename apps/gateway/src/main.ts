import { gatewayEdge } from '@scrip/edge';
import { runGateway } from '@scrip/service';

void runGateway(gatewayEdge);
