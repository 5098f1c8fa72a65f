import { Module } from '@nestjs/common';
import { authPort } from '@scrip/contracts/auth';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import { embeddedEdge } from '@scrip/edge';
import { anyProjectAuth, httpCall, testProject } from '@scrip/edge/testing';
import { internalContext, type RequestContext, Secret } from '@scrip/kernel';
import { portToken, servedPortToken } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { catalogContext } from './index';

/** A caller of a project with ten seconds of time. */
export const caller = (id = testProject.id): RequestContext => ({
  ...internalContext({ ...testProject, id }),
  channel: 'API',
  deadlineAt: Date.now() + 10_000,
});

@Module({ providers: [{ provide: servedPortToken(authPort), useValue: anyProjectAuth() }] })
class AuthModule {}

/** The catalog behind the edge, on a database of its own. */
export interface CatalogFixture {
  running: RunningApp;
  port: CatalogPort;
  database: DataSource;
  /** A call in a project, `proj_1` unless named. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    project?: string,
  ): Promise<{ status: number; body: any }>;
}

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootCatalog = async (databaseUrl?: string): Promise<CatalogFixture> => {
  const running = await bootScrip({
    contexts: [{ name: 'auth', module: AuthModule, migrations: [] }, catalogContext],
    config: {
      ...readSettings({ SCRIP_PORT: '0' }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(databaseUrl ?? (await createDatabase('catalog'))),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const send = httpCall(running.url);
  return {
    running,
    port: running.app.get<CatalogPort>(portToken(catalogPort), { strict: false }),
    database: running.app.get<DataSource>('catalogDataSource', { strict: false }),
    call: (method, path, body, project = testProject.id) => {
      const headers = { 'x-app-id': 'app', 'x-app-token': project, 'content-type': 'application/json' };
      return send({ method, path, headers, body });
    },
  };
};
