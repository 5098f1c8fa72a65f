/** The lane of one endpoint: all its deliveries. One lane of an endpoint runs at a time. */
export interface Lane {
  projectId: string;
  webhookId: string;
}

/** Requests under way to one endpoint. Source: reference 06 §5.3. */
export const inFlightMax = 10;
