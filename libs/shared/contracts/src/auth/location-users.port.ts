import type { RequestContext } from '@scrip/kernel';

/** What filters can refer to locations. */
export type LocationUser = 'segment' | 'products_collection';

/** What auth asks of the contexts whose filters refer to locations. Source: reference 07 §9, ADR 113. */
export interface LocationUsersPort {
  /** Returns those of the segments or collections whose filter refers to a location now. Writes of filters that are under way in
   *  the project are waited for. At most `usersPerCall`. */
  refersToLocation(
    context: RequestContext,
    request: { location_id: string; ids: readonly string[] },
  ): Promise<{ ids: string[] }>;

  /** Has everything tested again by the filters that refer to a location, in the background. May be repeated. */
  retestLocation(context: RequestContext, request: { location_id: string }): Promise<{ begun: number }>;
}

/** The methods of `LocationUsersPort`, for the port of an owner. */
export const locationUsersMethods = ['refersToLocation', 'retestLocation'] as const;

/** Segments or collections of one call. */
export const usersPerCall = 500;
