import { Module } from '@nestjs/common';
import { authPort } from '@scrip/contracts/auth';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import { embeddedEdge } from '@scrip/edge';
import { fakeAuth, httpCall, testKeys, testPrincipal } from '@scrip/edge/testing';
import { internalContext, type RequestContext, Secret } from '@scrip/kernel';
import { portToken, servedPortToken } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { catalogContext } from './index';

/** A caller of the project with ten seconds of time. */
export const caller = (): RequestContext => ({
  ...internalContext(testPrincipal().project!),
  channel: 'API',
  deadlineAt: Date.now() + 10_000,
});

const auth = fakeAuth({ 'server:app:secret': testPrincipal() });

@Module({ providers: [{ provide: servedPortToken(authPort), useValue: auth }] })
class AuthModule {}

/** The catalog behind the edge, on a database of its own. */
export interface CatalogFixture {
  running: RunningApp;
  port: CatalogPort;
  database: DataSource;
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any }>;
}

export const bootCatalog = async (): Promise<CatalogFixture> => {
  const running = await bootScrip({
    contexts: [{ name: 'auth', module: AuthModule, migrations: [] }, catalogContext],
    config: {
      ...readSettings({ SCRIP_PORT: '0' }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(await createDatabase('catalog')),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const send = httpCall(running.url);
  const headers = { ...testKeys.server, 'content-type': 'application/json' };
  return {
    running,
    port: running.app.get<CatalogPort>(portToken(catalogPort), { strict: false }),
    database: running.app.get<DataSource>('catalogDataSource', { strict: false }),
    call: (method, path, body) => send({ method, path, headers, body }),
  };
};
