import { createDatabase, type Scrip, startScripOnTestServers, waitUntil } from '@scrip/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const customers = 3_000;

describe('an export whose process is killed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scrip-exports-'));
  let databaseUrl: string;
  let scrip: Scrip;

  // One process has all contexts, so that its end is that of the job and of the owner.
  const start = (): Promise<Scrip> => startScripOnTestServers({ dataDir, databaseUrl, shape: 'embedded' });

  beforeAll(async () => {
    databaseUrl = await createDatabase('exports');
    scrip = await start();
  }, 240_000);
  afterAll(async () => {
    await scrip?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const statusOf = async (id: string): Promise<any> => (await scrip.call('GET', `/v1/exports/${id}`)).body;

  it('begins again, ends once, and shows no part of its file before', async () => {
    const inputs = Array.from({ length: customers }, (_, n) => ({
      source_id: `killed-${n}`,
      name: `Name ${String((n * 577) % customers).padStart(4, '0')}`,
    }));
    const { async_action_id } = await scrip.ask<any>('POST', '/v1/customers/bulk/async', inputs);
    await waitUntil(
      async () => (await scrip.call('GET', `/v1/async-actions/${async_action_id}`)).body.status === 'DONE',
      { what: 'the customers to export' },
    );
    // No statement can read the customers meanwhile: the export is under way for as long as it takes to kill it.
    const holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE customers.customers IN ACCESS EXCLUSIVE MODE');
    const { id } = await scrip.ask<any>('POST', '/v1/exports', {
      exported_object: 'customer',
      // Read as a whole, put in order, and then written.
      parameters: { fields: ['name', 'source_id'], order: 'name' },
    });
    await waitUntil(async () => (await statusOf(id)).status === 'IN_PROGRESS', {
      what: 'the beginning of the export',
    });
    await scrip.kill();
    await holder.end();
    scrip = await start();
    await waitUntil(async () => (await statusOf(id)).status === 'DONE', {
      what: 'the end of the export after a kill',
    });
    const { result } = await statusOf(id);
    const [header, ...lines] = (await (await fetch(result.url)).text()).trimEnd().split('\r\n');
    expect(header).toBe('Name,Source ID');
    expect(lines).toEqual(inputs.map(({ name, source_id }) => `${name},${source_id}`).sort());
  });
});
