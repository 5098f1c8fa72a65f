import type { RefusalTableOf } from '@scrip/edge';
import type { Refusal } from '@scrip/kernel';

/** What auth refuses with. */
export type AuthRefusalKey =
  | 'unauthorized'
  | 'second_factor_required'
  | 'second_factor_exists'
  | 'forbidden'
  | 'not_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'missing_parameters'
  | 'invalid_grant_type'
  | 'invalid_scope'
  | 'oauth_tokens_limit_exceeded';

/** What the management of projects refuses with. */
export type ManagementRefusalKey =
  | 'invalid_payload'
  | 'forbidden'
  | 'not_found'
  | 'duplicate_found'
  | 'multiple_requests'
  | 'resource_protected'
  | 'resource_in_use'
  | 'stacking_rules_exist'
  | 'branding_exist'
  | 'used_incorrect_role'
  | 'member_already_exists'
  | 'user_not_assigned'
  | 'last_project_of_user';

export type ManagementRefusal = Refusal<ManagementRefusalKey>;

/** A refusal of auth. */
export type AuthRefusal = Refusal<AuthRefusalKey>;

/** Why credentials are not accepted. */
export type CredentialsRefusal = Refusal<'unauthorized' | 'forbidden'>;

/** What the commands for keys refuse with; no route answers it. */
export type KeyRefusal = Refusal<'not_found' | 'limit_exceeded'>;

/** Status and message of each. Source: reference 07 §2.1. */
export const authRefusals = {
  second_factor_required: { status: 401, message: 'Second factor required' },
  second_factor_exists: { status: 409, message: 'Second factor exists' },
  missing_parameters: { status: 400, message: 'Missing parameters' },
  invalid_grant_type: { status: 400, message: 'Invalid grant_type' },
  invalid_scope: { status: 400, message: 'Invalid scope' },
  oauth_tokens_limit_exceeded: { status: 400, message: 'OAuth tokens limit exceeded' },
} satisfies RefusalTableOf<AuthRefusalKey>;

/** Status and message of what managers are refused. Source: reference 07 §14. */
export const managementRefusals = {
  resource_protected: { status: 400, message: 'Resource protected' },
  stacking_rules_exist: { status: 409, message: 'Stacking rules exist' },
  branding_exist: { status: 409, message: 'Branding exist' },
  used_incorrect_role: { status: 400, message: 'Used incorrect role' },
  member_already_exists: { status: 409, message: 'Member already exists' },
  user_not_assigned: { status: 400, message: 'User not assigned' },
  last_project_of_user: { status: 400, message: 'Last project of user' },
} satisfies RefusalTableOf<ManagementRefusalKey>;
