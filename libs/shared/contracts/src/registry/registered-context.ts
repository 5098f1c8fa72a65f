import type { RouteRow } from './route-row';
import type { Topic } from './topic';

/** What the rest of the system must know of a context before any of it runs. Source: architecture §2. */
export interface RegisteredContext {
  /** Its service, its PostgreSQL schema, its DataSource, its folders in `apps` and `libs/contexts`. */
  readonly name: string;
  /** What it owns, for the page on the architecture. */
  readonly owns: string;
  /** Of its aggregates, by the name that consumers use. Source: reference 06 §9.2. */
  readonly topics: Readonly<Record<string, Topic>>;
  /** The public routes that it serves. */
  readonly routes: readonly RouteRow[];
}
