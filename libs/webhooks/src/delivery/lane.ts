/** The lane of one endpoint: all its deliveries, and one lane of it at a time. */
export interface Lane {
  projectId: string;
  webhookId: string;
}

/** Requests under way to one endpoint. Source: spec 06 §5.3. */
export const inFlightMax = 10;
