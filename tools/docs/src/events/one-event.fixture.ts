/** Something was made. */
export interface ThingMade {
  type: 'ThingMade';
  data: { count: number };
}

/** Everything that happens to a thing: one event, as a new feature begins. */
export type ThingEvent = ThingMade;
