import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PortServer, TcpPortServer } from '@scrip/rpc';
import type { Distribution } from '../config/distribution';
import { acceptedRpcKeys, faultOf, rpcKey } from './ports-of-process';

/** Lets other processes call the ports that are served in this one. */
export const servePorts = (app: NestFastifyApplication, distribution: Distribution): void => {
  const strategy = new TcpPortServer(app.get(PortServer, { strict: false }), {
    ...distribution.rpc,
    secret: rpcKey(distribution),
    tls: distribution.tls,
    acceptedSecrets: acceptedRpcKeys(distribution),
    faultOf,
  });
  app.connectMicroservice({ strategy }, { inheritAppConfig: false });
};
