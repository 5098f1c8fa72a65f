import { Module } from '@nestjs/common';
import { authPort } from '@scrip/contracts';
import { servePort } from '@scrip/rpc';
import { AuthPortHandlers } from './auth.port-handlers';
import { KeyAuthentication } from './keys/key-authentication';
import { KeyDirectory } from './keys/key-directory';
import { Bootstrap } from './projects/bootstrap';
import { ProjectStore } from './projects/project.store';
import { TokenAuthentication } from './tokens/token-authentication';
import { TokenHandlers } from './tokens/token.handlers';
import { TokenController } from './tokens/token.http';
import { TokenPruner } from './tokens/token-pruner';
import { TokenStore } from './tokens/token.store';

/** Projects, keys and access tokens. DataSource and event store of the context come from the process that boots it. */
@Module({
  controllers: [TokenController],
  providers: [
    ProjectStore,
    KeyDirectory,
    KeyAuthentication,
    TokenStore,
    TokenAuthentication,
    TokenHandlers,
    TokenPruner,
    Bootstrap,
    servePort(authPort, AuthPortHandlers),
  ],
  exports: [Bootstrap],
})
export class AuthModule {}
