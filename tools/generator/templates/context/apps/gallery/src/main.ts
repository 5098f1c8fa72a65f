import { serviceEdge } from '@scrip/edge';
import { galleryContext } from '@scrip/gallery';
import { runService } from '@scrip/service';

void runService({ context: galleryContext, edge: serviceEdge });
