import { Logger } from '@nestjs/common';
import { authContext, Bootstrap, firstLogin, FirstUser, KeyLifecycle } from '@scrip/auth';
import { serviceEdge } from '@scrip/edge';
import { runService } from '@scrip/service';

void runService({
  context: authContext,
  edge: serviceEdge,
  prepare: async ({ app }, { bootstrap, users }) => {
    const logger = new Logger('auth');
    const firstUser = app.get(FirstUser, { strict: false });
    await firstUser.make(users.adminPassword);
    if (await firstUser.lacksPassword())
      logger.log(
        `the user ${firstLogin} has no password yet: npm run users -- reset ${firstLogin} makes one`,
      );
    if (bootstrap.appToken) await app.get(Bootstrap, { strict: false }).run(bootstrap);
    else if ((await app.get(KeyLifecycle, { strict: false }).list()).length === 0) {
      // A generated secret would stand in the log, or be lost.
      logger.warn(
        'there is no project and no key yet: set SCRIP_BOOTSTRAP_APP_TOKEN and its like, or run npm run keys -- first',
      );
    }
  },
});
