/** What each key means and what a caller does about it, for the catalogue of errors. A test holds it against the keys that
 *  handlers can answer. */
export const meanings: Readonly<Record<string, string>> = {
  already_rolled_back: 'The redemption was rolled back before. Nothing is left to do.',
  branding_exist:
    'The project has a branding already; `resource_id` names it. Change it by `PUT`, or remove it first.',
  duplicate_found: 'The name or code is taken, also in the bin. Choose another one, or use what is there.',
  duplicated_redeemables:
    'One redeemable is named twice, perhaps by its code and by its id. Name each of them once.',
  exports_limit_exceeded:
    'As many exports of the project wait or are under way as may. Wait for the end of one, or delete one.',
  forbidden:
    'The credentials may not call this here: another cluster, an Origin that is not trusted, a switch of the project that is off. `details` names it.',
  idempotency_key_in_use:
    'Another request with this `Idempotency-Key` is still running, or has just been answered. Repeat the call after `Retry-After`.',
  idempotency_key_reused:
    'Another request was sent under this `Idempotency-Key`. Take a new key for a new request.',
  internal_error: 'A defect of the server. Repeat with the same `Idempotency-Key`; report `request_id`.',
  invalid_campaign:
    'The campaign lacks what its kind needs, or has what its kind cannot have. `details` names it.',
  invalid_code_config:
    'The settings of codes allow too few codes, or contradict each other. Lengthen the code or its character set.',
  invalid_export_fields: 'An export of this kind has no such column. `details` lists those that there are.',
  invalid_customer: 'The customer of the request and the one of the redemption or code differ.',
  invalid_grant_type: 'Only `client_credentials` is served.',
  invalid_order: 'The order is in a state that does not allow the call, or does not exist.',
  invalid_payload: 'The body is wrong. `details` names the property and what it must be.',
  invalid_query_params: 'The query is wrong. `details` names the parameter and what it must be.',
  invalid_redeemables: 'The redeemables cannot be used together.',
  invalid_redemption: 'The redemption cannot be rolled back: it failed, or is a rollback itself.',
  invalid_redemption_parent:
    'The redemption is part of a stack. Roll the whole stack back by the id of its parent.',
  invalid_scope: 'A scope is unknown, or the key may not give it. Separate scopes by single blanks.',
  invalid_sku:
    'The SKU has an attribute that its product does not declare. `details` names it: add it to the product first.',
  last_project_of_user:
    'A user stays in one project at least. Give the user a role in another project first, or block the user.',
  member_already_exists:
    'The user has a role in the project already, or is an owner. Change the role by `PUT`.',
  metadata_validation_failed:
    'Metadata breaks the schema that the project defined for it. `details` names each key and what it must be.',
  method_not_allowed: 'The path exists with other methods: see `Allow`.',
  missing_customer: 'The redeemable counts per customer, and the request names none. Send `customer`.',
  missing_parameters: 'The form lacks a parameter. `details` names it.',
  missing_required_feature:
    'The feature that the call needs is switched off in this installation, or not served yet.',
  missing_required_permission:
    'The role or the scopes of the credentials do not reach the call. `details` says which is missing.',
  multiple_requests:
    'Another request works on the same code, order or redemption. Repeat the call with the same `Idempotency-Key`.',
  no_applicable_redeemables:
    'None of the redeemables applies to the order. `POST /v1/validations` tells why.',
  not_acceptable: '`Accept` admits none of the types that the call answers with.',
  not_found:
    'What the path or the body names does not exist: `resource_type` and `resource_id` say what; at a redemption `redeemable_type` and `redeemable_id` do. An unknown path has neither.',
  oauth_tokens_limit_exceeded:
    'The project has as many active tokens as it may have. Use one until it ends, or revoke some.',
  page_over_limit: 'Lists end at this page. Narrow the list by filters.',
  password_required:
    'The user entered the password more than 10 minutes ago: `POST /dashboard/api/session/password-again`.',
  payload_expired: 'The delivery is too old to be sent again: its payload is no longer stored.',
  quantity_exceeded:
    'Every use of the code is taken. `redemption` tells how many there are (`quantity`) and how many are taken (`redeemed_quantity`).',
  query_too_large: 'The body is larger than the call reads.',
  redemption_rules_violated:
    'A rule or a limit of the redeemable does not admit the redemption. `details` names what it is about.',
  request_headers_too_large: 'The headers have more than 16 KiB.',
  request_timeout: 'The request did not arrive within its time. Send it again.',
  resource_in_use:
    'Something else refers to it. `details`, `related_object_type` and `related_object_ids` name what: change that first.',
  sendout_in_delivery: 'The delivery is under way. Ask again when its status has changed.',
  resource_protected: 'The resource is never changed or deleted this way. `details` names it.',
  service_unavailable:
    'A part that the call needs does not answer, or is overloaded. Repeat after `Retry-After` with the same `Idempotency-Key`.',
  second_factor_exists: 'The user has a second factor already: `DELETE` takes it away first.',
  second_factor_required:
    'The password is right, and the user has a second factor. Send login, password and `code` together.',
  stacking_rules_exist: 'The project has stacking rules already. Change those: `GET` shows their id.',
  unauthorized:
    'The credentials are missing, wrong, blocked or expired. `details` and `WWW-Authenticate` say what the call takes.',
  unsupported_api_version:
    '`X-Service-API-Version` names a version that is not served. `details` lists those that are.',
  unsupported_discount: 'The kind of discount is stored, but not computed yet.',
  unsupported_media_type: 'The body has a type or an encoding that the call does not read.',
  used_incorrect_role:
    'The role is none of ADMIN, USER, VIEWER, MERCHANT and USER_RESTRICTED, or the user is an owner, whose role is ADMIN.',
  user_not_assigned: 'The user has no role in the project. Nothing is left to do.',
  voucher_disabled: 'The voucher or its campaign is switched off.',
  voucher_expired: 'The voucher or its campaign ended before.',
  voucher_not_active: 'The voucher or its campaign has not begun yet.',
  voucher_not_active_now: 'The voucher has hours, weekdays or a timeframe, and now is outside of them.',
  webhook_inactive: 'The webhook is switched off. Switch it on before its deliveries are sent again.',
};
