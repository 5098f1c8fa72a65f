import { authContext, Bootstrap } from '@scrip/auth';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({
  context: authContext,
  edge: serviceEdge,
  // Without tokens, keys would be made that nobody knows.
  prepare: async ({ app }, { bootstrap }) => {
    if (bootstrap.appToken) await app.get(Bootstrap, { strict: false }).run(bootstrap);
  },
});
