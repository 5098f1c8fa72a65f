import { replaceIndexConcurrently } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lists and counts of vouchers read, with the condition of each index besides that a voucher is live. */
const indexes: readonly { name: string; of: string; where?: string }[] = [
  { name: 'vouchers_created', of: '(project_id, created_at, id)' },
  { name: 'vouchers_single', of: '(project_id, campaign_id)', where: 'definition_id IS NULL' },
  {
    name: 'vouchers_definition',
    of: '(project_id, definition_id, created_at, id)',
    where: 'definition_id IS NOT NULL AND filterable IS NULL',
  },
  { name: 'vouchers_own', of: '(project_id, created_at, id)', where: 'filterable IS NOT NULL' },
  {
    name: 'vouchers_own_campaign',
    of: '(project_id, campaign_id, created_at, id)',
    where: 'filterable IS NOT NULL',
  },
  { name: 'vouchers_own_start', of: '(project_id, start_date)', where: 'filterable IS NOT NULL' },
  { name: 'vouchers_own_expiration', of: '(project_id, expiration_date)', where: 'filterable IS NOT NULL' },
  {
    name: 'vouchers_own_fields',
    of: 'USING gin (filterable jsonb_path_ops)',
    where: 'filterable IS NOT NULL',
  },
];

const leavesDeletedOut = (definition: string): boolean => definition.includes('(deleted_at IS NULL)');

const rebuild = async (runner: QueryRunner, also: readonly string[]): Promise<void> => {
  for (const { name, of, where } of indexes) {
    const conditions = [...(where === undefined ? [] : [where]), ...also];
    const partial = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const isNew = (definition: string) => leavesDeletedOut(definition) === also.length > 0;
    await replaceIndexConcurrently(runner, { name, on: `vouchers ${of}${partial}`, isNew });
  }
};

/** Lists and counts of vouchers read no deleted ones, however many there are. Each index is built beside the writers. */
export class ListsLeaveDeletedOut1801400000012 implements MigrationInterface {
  readonly name = 'ListsLeaveDeletedOut1801400000012';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await rebuild(runner, ['deleted_at IS NULL']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await rebuild(runner, []);
  }
}
