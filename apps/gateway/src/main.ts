import { gatewayEdge } from '@scrip/edge/gateway';
import { runGateway } from '@scrip/service';

void runGateway(gatewayEdge);
