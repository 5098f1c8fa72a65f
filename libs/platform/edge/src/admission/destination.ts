import type { RouteArea, RouteMethod, RouteRow } from '@scrip/contracts/registry';

/** What is known of the route a request asks for. */
export interface Destination {
  area: RouteArea;
  /** Null: no such path, or not with this method. */
  row: RouteRow | null;
  /** Methods the path has. */
  methods: readonly RouteMethod[];
}
