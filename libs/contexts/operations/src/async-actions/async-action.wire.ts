import type { AsyncActionSnapshot } from '@scrip/contracts/operations';

/** A task as lists show it: what is not known yet is left out. Source: reference 07 §10. */
export const renderListedAction = ({ result: _, ...action }: AsyncActionSnapshot) => ({
  id: action.id,
  type: action.type,
  status: action.status,
  operation_status: action.operation_status,
  created_at: action.created_at,
  ...(action.updated_at === null ? {} : { updated_at: action.updated_at }),
  request_id: action.request_id,
  ...(action.processing_time === null ? {} : { processing_time: action.processing_time }),
  progress: action.progress,
  object: 'async_action' as const,
});

/** What `renderListedAction` makes. `progress`: percent; `processing_time`: ms. */
export type ListedActionResponse = ReturnType<typeof renderListedAction>;

/** One task: with its result once there is one. Source: reference 07 §10. */
export const renderAction = (action: AsyncActionSnapshot) => ({
  ...renderListedAction(action),
  ...(action.result === null ? {} : { result: action.result }),
  user: null,
  log_id: null,
});

/** What `renderAction` makes. `progress`: percent; `processing_time`: ms. */
export type ActionResponse = ReturnType<typeof renderAction>;
