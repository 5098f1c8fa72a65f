import { qualificationContext } from '@scrip/qualification';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({ context: qualificationContext, edge: serviceEdge });
