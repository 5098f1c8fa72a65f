/** An access token as its endpoints tell it. */
export interface IssuedToken {
  access_token: string;
  /** Id of the application key that issued it. */
  client_id: string;
  /** Unix seconds. */
  expires_at: number;
  /** Seconds. */
  expires_in: number;
  /** Separated by single blanks, as asked for. */
  scope: string;
  token_type: 'Bearer';
}

/** What is known of a token: all of it while it is active, else nothing. */
export type IntrospectedToken = (IssuedToken & { active: true }) | { active: false };
