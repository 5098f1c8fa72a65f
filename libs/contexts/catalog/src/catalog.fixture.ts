import { Module } from '@nestjs/common';
import { authPort } from '@scrip/contracts/auth';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { embeddedEdge } from '@scrip/edge';
import { anyProjectAuth, httpCall, testProject } from '@scrip/edge/testing';
import { internalContext, type RequestContext, Secret } from '@scrip/kernel';
import { portToken, servedPortToken } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { patientAnswers, preparedDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { catalogContext } from './index';

/** A caller of a project with a minute of time. */
export const caller = (id = testProject.id): RequestContext => ({
  ...internalContext({ ...testProject, id }),
  channel: 'API',
  deadlineAt: Date.now() + 60_000,
});

@Module({ providers: [{ provide: servedPortToken(authPort), useValue: anyProjectAuth() }] })
class AuthModule {}

/** Validation rules as far as the catalog asks for them. */
export class FakeRules implements Pick<QualificationPort, 'noteDeletion' | 'forgetDeletion'> {
  /** Ids of rules by the id of what they name. */
  readonly naming = new Map<string, string[]>();

  noteDeletion: QualificationPort['noteDeletion'] = async (_, { objects }) => {
    const [named] = objects.flatMap((object) => {
      const rules = this.naming.get(object.id);
      return rules ? [{ ...object, rules }] : [];
    });
    return { named: named ?? null };
  };

  forgetDeletion: QualificationPort['forgetDeletion'] = async () => null;
}

@Module({ providers: [{ provide: servedPortToken(qualificationPort), useClass: FakeRules }] })
class QualificationModule {}

/** The catalog behind the edge, on a database of its own. */
export interface CatalogFixture {
  running: RunningApp;
  port: CatalogPort;
  rules: FakeRules;
  database: DataSource;
  /** A call in a project, `proj_1` unless named. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    project?: string,
  ): Promise<{ status: number; body: any }>;
}

const catalogDatabase = (): Promise<string> =>
  preparedDatabase('catalog', async (url) => (await bootCatalog(url)).running.close());

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootCatalog = async (databaseUrl?: string): Promise<CatalogFixture> => {
  const running = await bootScrip({
    contexts: [
      { name: 'auth', module: AuthModule, migrations: [] },
      { name: 'qualification', module: QualificationModule, migrations: [] },
      catalogContext,
    ],
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(databaseUrl ?? (await catalogDatabase())),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const send = httpCall(running.url);
  return {
    running,
    port: running.app.get<CatalogPort>(portToken(catalogPort), { strict: false }),
    rules: running.app.get<FakeRules>(servedPortToken(qualificationPort), { strict: false }),
    database: running.app.get<DataSource>('catalogDataSource', { strict: false }),
    call: (method, path, body, project = testProject.id) => {
      const headers = { 'x-app-id': 'app', 'x-app-token': project, 'content-type': 'application/json' };
      return send({ method, path, headers, body });
    },
  };
};
