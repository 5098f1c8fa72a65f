import type { StoredEvent } from '@scrip/event-store';

/** Events after a log position, oldest first; `after` null = from the beginning. Source: architecture §5. */
export interface LogQuery {
  aggregate: string;
  after: string | null;
  limit: number;
}

export interface LogPage {
  events: StoredEvent[];
}
