import { Logger } from '@nestjs/common';
import { authContext, Bootstrap, KeyLifecycle } from '@scrip/auth';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({
  context: authContext,
  edge: serviceEdge,
  prepare: async ({ app }, { bootstrap }) => {
    if (bootstrap.appToken) await app.get(Bootstrap, { strict: false }).run(bootstrap);
    else if ((await app.get(KeyLifecycle, { strict: false }).list()).length === 0) {
      // A generated secret would stand in the log, or be known to nobody.
      new Logger('auth').warn(
        'there is no project and no key yet: set SCRIP_BOOTSTRAP_APP_TOKEN and its like, or run npm run keys -- first',
      );
    }
  },
});
