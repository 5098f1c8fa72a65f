import { taskAggregateWith } from '@scrip/tasks';

/** How background tasks are stored. */
export const taskAggregate = taskAggregateWith({
  campaign_id: {
    type: 'text',
    of: ({ work }) => ('campaign_id' in work ? work.campaign_id : null),
  },
});
