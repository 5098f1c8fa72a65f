/** Answer of a call that orders a background task. Source: reference 07 §10. */
export interface OrderedTaskResponse {
  async_action_id: string;
}
