import { isRefused } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import { type VoucherListQuery, voucherListStatements } from '../voucher/voucher-list.query';
import { type CampaignListQuery, listStatement } from './campaign-list.query';

const now = new Date('2026-03-31T10:00:00.000Z');
const project = projectOf({ id: 'proj_1' });
const typeOf = () => undefined;

const filtered = (field: string, operator: string) => ({
  order: '-created_at',
  limit: 10,
  page: 1,
  filters: { junction: 'and', fields: { [field]: { [operator]: [] } } },
});

const statementOf = (list: string, field: string, operator: string) => {
  const query = filtered(field, operator);
  const found =
    list === 'campaigns'
      ? listStatement(project, query as unknown as CampaignListQuery, { singleCodes: '0', now, typeOf })
      : voucherListStatements(project, query as unknown as VoucherListQuery, { now, typeOf });
  if (isRefused(found)) throw new Error(found.details);
  return found.count;
};

describe('what is expired, active or not begun in a list', () => {
  it.each([
    ['campaigns', 'active', '$expired', 1],
    ['campaigns', 'active', '$active', 2],
    ['campaigns', 'status', '$before_start', 1],
    // Once for dates of the voucher itself, once for those of its definition.
    ['vouchers', 'active', '$expired', 2],
    ['vouchers', 'active', '$active', 4],
  ] as const)('is compared with the project’s time: %s, %s %s', (list, field, operator, instants) => {
    const { text, values } = statementOf(list, field, operator);
    expect(text).not.toMatch(/now\(\)/);
    expect(values.filter((value) => value === now.toISOString())).toHaveLength(instants);
  });
});
