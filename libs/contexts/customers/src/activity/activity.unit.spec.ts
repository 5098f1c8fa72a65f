import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { StoredEvent } from '@scrip/event-store';
import { activityOfRedemption } from './activity';

const date = '2026-03-31T10:00:00.000Z';
const redemption = { id: 'r_1', object: 'redemption', customer_id: 'cust_1', date } as RedemptionSnapshot;
const rollback = { ...redemption, id: 'rr_1', object: 'redemption_rollback' };

const told = (type: string, data: object): Record<string, unknown> => ({
  ...activityOfRedemption({
    ...{ id: '01900000-0000-7000-8000-00000000abcd', type, projectId: 'proj_1', streamId: 'r_1' },
    ...{ recordedAt: '2026-03-31T10:00:01.000Z', version: 1, schemaVersion: 1 },
    metadata: { channel: 'API', correlation_id: 'v-1' },
    data: { redemption, campaign: null, ...data },
  } as unknown as StoredEvent)?.data,
});

describe('the activity of a redemption', () => {
  it.each(['RedemptionSucceeded', 'RedemptionFailed'])('has the time of a %s', (type) => {
    expect(told(type, {}).created_at).toBe(date);
  });

  it.each(['RedemptionRolledBack', 'RedemptionRollbackFailed'])('has none of a %s', (type) => {
    const data = told(type, { rollback, announced: true });
    expect(data).toHaveProperty('redemption_rollback');
    expect(data).not.toHaveProperty('created_at');
  });
});
