/** Answer of an order for several codes: the background task that makes them. Source: reference 04 §4.6. */
export interface OrderedVouchersResponse {
  async_action_id: string;
}
