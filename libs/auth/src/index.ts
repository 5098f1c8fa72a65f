import type { ContextDefinition } from '@scrip/service';
import { CreateAuth1764000000000 } from './auth.migration';
import { AuthModule } from './auth.module';

export {
  Bootstrap,
  type BootstrapAnswer,
  type BootstrapKey,
  type BootstrapRequest,
} from './projects/bootstrap';

/** Projects, application, client and management keys, access tokens. Source: architecture §2. */
export const authContext: ContextDefinition = {
  name: 'auth',
  module: AuthModule,
  migrations: [CreateAuth1764000000000],
};
