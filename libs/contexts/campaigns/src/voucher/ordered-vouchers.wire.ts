/** Answer of a code order: the background task that makes the codes. Source: reference 04 §4.6. */
export interface OrderedVouchersResponse {
  async_action_id: string;
}
