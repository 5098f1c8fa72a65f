import { join } from 'node:path';
import { taskAggregate } from '@scrip/tasks';
import { FrozenEvents } from '@scrip/testing';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), taskAggregate);

test('stored events of tasks are read as they were meant', () => {
  expect(frozen.folded('AsyncActionEnqueued', 'AsyncActionStarted', 'AsyncActionCompleted')).toMatchObject({
    async_action: { status: 'DONE', result: { done_count: 2, failed_count: 1 } },
    work: { kind: 'PRODUCTS.BULK_UPDATE', count: 3 },
    started_at: '2026-03-01T10:00:01.000Z',
  });
  expect(frozen.folded('AsyncActionEnqueued', 'AsyncActionFailed')).toMatchObject({
    async_action: { status: 'FAILED', result: { done_count: 1, error: 'The rest could not be stored.' } },
  });
});
