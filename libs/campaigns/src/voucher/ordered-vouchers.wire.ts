/** Answer of an order for several codes: the background task that makes them. Source: spec 04 §4.6. */
export interface OrderedVouchersResponse {
  async_action_id: string;
}
