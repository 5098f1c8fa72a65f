import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isDatabaseAway } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';
import { PortServer, TcpPortServer } from '@scrip/rpc';
import type { Distribution } from '../config/distribution';
import { acceptedRpcKeys, rpcKey } from './ports-of-process';

/** Lets other processes call the ports that are served in this one. */
export const servePorts = (app: NestFastifyApplication, distribution: Distribution): void => {
  const strategy = new TcpPortServer(app.get(PortServer, { strict: false }), {
    ...distribution.rpc,
    secret: rpcKey(distribution),
    tls: distribution.tls,
    acceptedSecrets: acceptedRpcKeys(distribution),
    faultOf: (cause) =>
      isDatabaseAway(cause) ? new Fault('unavailable', 'PostgreSQL is away', { cause }) : undefined,
  });
  app.connectMicroservice({ strategy }, { inheritAppConfig: false });
};
