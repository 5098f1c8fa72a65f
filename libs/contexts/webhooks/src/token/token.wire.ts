/** Answer of a rotation. Source: reference 06 §5.5. */
export interface RotatedTokenResponse {
  /** `whsec_…`, what deliveries are signed with. */
  webhook_token: string;
}
