import { readInput } from '@scrip/edge';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { authContext } from '../index';
import { auditPage, AuditQuery } from './audit-list.query';

const entries = 20_000;

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('audit_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of authContext.migrations) await new Migration().up(runner);
  await runner.query(`
    INSERT INTO audit_entries (id, at, project_id, actor_type, actor_id, request_id, action, resource_type, resource_id, changes)
      SELECT 'aud_' || lpad(n::text, 6, '0'), '2026-01-01'::timestamptz + n * interval '1 minute', 'proj_' || n % 90, 'user',
        'user_' || n % 500, 'v-1', CASE WHEN n % 300 = 0 THEN 'key.rotated' ELSE 'project.updated' END, 'project',
        'resource_' || n % 400, '{}'
      FROM generate_series(1, ${entries}) n`);
  await runner.query('VACUUM ANALYZE audit_entries');
  await runner.release();
});
afterAll(() => database?.destroy());

const behind = { at: '2026-01-08 00:00:00+00', id: 'aud_010080' };

describe('a page of the audit trail', () => {
  it.each<[string, object, string | null, string]>([
    ['a project', {}, 'proj_1', 'audit_entries_project'],
    ['the installation', {}, null, 'audit_entries_at'],
    ['an actor', { actor_id: 'user_7' }, null, 'audit_entries_actor'],
    ['an action', { action: 'key.rotated' }, null, 'audit_entries_action'],
    ['a resource', { resource_id: 'resource_7' }, null, 'audit_entries_resource'],
    ['a time', { start_date: '2026-01-05', end_date: '2026-01-06' }, null, 'audit_entries_at'],
    [
      'a time of a project',
      { start_date: '2026-01-02', end_date: '2026-01-14' },
      'proj_1',
      'audit_entries_project',
    ],
  ])(
    'is read from the index of %s, and nothing behind it is looked at',
    async (_, query, projectId, index) => {
      const read = readInput(AuditQuery, query, 'query');
      for (const cursor of [null, behind]) {
        const { scans, rows } = await touchedRows(
          database,
          auditPage(read, projectId, cursor),
          'audit_entries',
        );
        expect(scans).toEqual([index]);
        expect(rows).toBeLessThanOrEqual(read.limit + 1);
      }
    },
  );
});
