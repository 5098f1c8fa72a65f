import { Module } from '@nestjs/common';
import { FakeCoordinator } from '@scrip/claims/testing';
import { authPort } from '@scrip/contracts/auth';
import { type CustomerInput, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { qualificationPort } from '@scrip/contracts/qualification';
import { embeddedEdge } from '@scrip/edge';
import { anyProjectAuth, httpCall } from '@scrip/edge/testing';
import { Secret, internalContext, isRefused, newId } from '@scrip/kernel';
import { servedPortToken } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { patientAnswers, preparedDatabase, projectOf } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { customersContext } from './index';

@Module({ providers: [{ provide: servedPortToken(authPort), useValue: anyProjectAuth() }] })
class AuthModule {}

@Module({ providers: [{ provide: servedPortToken(qualificationPort), useClass: FakeCoordinator }] })
class QualificationModule {}

/** Its events are read. */
@Module({})
class CampaignsModule {}

/** An answer of the API. */
export interface Answer {
  status: number;
  body: any;
}

/** Customers behind the edge, on a database of its own. */
export interface CustomersOverHttp {
  running: RunningApp;
  database: DataSource;
  port: CustomersPort;
  /** A call in a project, `proj_1` unless named. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    project?: string,
  ): Promise<Answer>;
  /** Stores a customer and returns its id. */
  customer(sent: CustomerInput, project?: string): Promise<string>;
}

const customersDatabase = (name: string): Promise<string> =>
  preparedDatabase('customers_booted', async (url) => (await bootCustomers(name, url)).running.close(), name);

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootCustomers = async (name: string, databaseUrl?: string): Promise<CustomersOverHttp> => {
  const running = await bootScrip({
    contexts: [
      { name: 'auth', module: AuthModule, migrations: [] },
      { name: 'campaigns', module: CampaignsModule, migrations: [] },
      { name: 'qualification', module: QualificationModule, migrations: [] },
      customersContext,
    ],
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(databaseUrl ?? (await customersDatabase(name))),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const send = httpCall(running.url);
  const port = running.app.get<CustomersPort>(servedPortToken(customersPort), { strict: false });
  return {
    running,
    database: running.app.get<DataSource>('customersDataSource', { strict: false }),
    port,
    call: (method, path, body, project = 'proj_1') =>
      send({
        method,
        path,
        headers: { 'x-app-id': 'app', 'x-app-token': project, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      }),
    customer: async (sent, project = 'proj_1') => {
      const context = internalContext(projectOf({ id: project, timezone: 'Europe/Warsaw' }));
      const stored = await port.resolve(context, { customer: sent, store: true, new_id: newId('cust_') });
      if (isRefused(stored)) throw new Error(stored.details);
      return stored.id;
    },
  };
};
