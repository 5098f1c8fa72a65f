import type { StoredEvent } from '@scrip/event-store';

/** Who or what caused an activity. */
export interface EventSource {
  channel: string;
  user?: { id: string };
  api_key?: { name: string; app_id: string };
}

/** Who or what caused an event. */
export const eventSourceOf = ({
  channel,
  actor_id,
  api_key_id,
  api_key_name,
}: StoredEvent['metadata']): EventSource => ({
  channel,
  ...(actor_id === undefined ? {} : { user: { id: actor_id } }),
  ...(api_key_id === undefined ? {} : { api_key: { name: api_key_name ?? '', app_id: api_key_id } }),
});
