/** Topic of one aggregate's domain events: `scrip.{service}.{aggregate}.v{major}`. Source: reference 06 §9.1. */
export type Topic = `scrip.${string}.${string}.v${number}`;

/** The topic of the events that `service` stores under `aggregate`. */
export const topic = <Service extends string, Aggregate extends string>(
  service: Service,
  aggregate: Aggregate,
) => `scrip.${service}.${aggregate}.v1` as const;
