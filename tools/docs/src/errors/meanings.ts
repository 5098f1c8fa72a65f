/** What each key means and what a caller does about it, for the catalogue of errors. A test holds it against the keys that
 *  handlers can answer. */
export const meanings: Readonly<Record<string, string>> = {
  already_rolled_back: 'The redemption was rolled back before. Nothing is left to do.',
  ambiguous_tracking_id:
    'A browser names two customers, one by `customer.source_id` and another one by `tracking_id`. Send the one who is there now.',
  branding_exist:
    'The project has a branding already; `resource_id` names it. Change it by `PUT`, or remove it first.',
  duplicate_found: 'The name or code is taken, also in the bin. Choose another one, or use what is there.',
  duplicate_source_id:
    'Another publication of the project has this `source_id`: to another customer, or of another voucher or campaign. Take a new one for a new publication.',
  duplicated_redeemables:
    'One redeemable is named twice, perhaps by its code and by its id. Name each of them once.',
  exports_limit_exceeded:
    'As many exports of the project wait or are under way as may. Wait for the end of one, or delete one.',
  integration_api_key_required:
    'Only keys of integrations reach this call. Issue one: `npm run keys -- issue --integration`, or `integration` where keys are managed.',
  forbidden:
    'The credentials may not call this here: another cluster, an Origin that is not trusted, a switch of the project that is off. `details` names it.',
  gift_amount_exceeded:
    'The gift card has less than that: `balance` of the voucher tells how much. A redemption that names no credits spends what is there.',
  holder_assignement_duplication:
    'The customer refers others with the code, or is a referee of it already. `GET …/holders` lists them.',
  idempotency_key_in_use:
    'Another request with this `Idempotency-Key` is still running, or has just been answered. Repeat the call after `Retry-After`.',
  idempotency_key_reused:
    'Another request was sent under this `Idempotency-Key`. Take a new key for a new request.',
  internal_error: 'A defect of the server. Repeat with the same `Idempotency-Key`; report `request_id`.',
  invalid_add_balance_params:
    'The amount is 0, the voucher has no balance that can be changed by hand, or the sums would no longer be exact. `details` says which.',
  invalid_campaign:
    'The campaign lacks what its kind needs, or has what its kind cannot have. `details` names it.',
  campaign_type_is_not_supported_by_campaign_template:
    'Templates are made from campaigns of discount coupons or gift cards and from promotion tiers, and tiers from templates of ' +
    'discounts only.',
  invalid_voucher:
    'A voucher lacks what its type needs, has what it cannot have, or is imported without a code. `details` names it.',
  duplicate_key: 'Codes that are to be imported exist already, or repeat; nothing was imported.',
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
  missing_amount: 'A gift card pays for an order, and the order has neither an amount nor items with prices.',
  missing_customer:
    'The redeemable counts per customer or is a referral code, and the request names no customer. Send `customer`.',
  missing_order: 'A gift card pays for an order, and the request has none.',
  missing_order_items: 'The card pays for items, and the order has none.',
  missing_order_items_amount: 'The card pays for items, and no item that it may pay for has an amount.',
  missing_parameters: 'The form lacks a parameter. `details` names it.',
  missing_required_feature:
    'The feature that the call needs is switched off in this installation, or not served yet.',
  missing_required_permission:
    'The role or the scopes of the credentials do not reach the call. `details` says which is missing.',
  missing_vouchers: 'The publication names neither a voucher nor a campaign.',
  multiple_requests:
    'Another request works on the same code, order or redemption, or deletes what a rule names. Repeat the call with the same `Idempotency-Key`.',
  no_applicable_redeemables:
    'None of the redeemables applies to the order: `inapplicable_redeemables` and `skipped_redeemables` of the answer tell why.',
  no_voucher_suitable_for_publication:
    'The campaign has too few active codes that were never published, and makes no more. Add codes, or make the campaign `AUTO_UPDATE`.',
  not_acceptable: '`Accept` admits none of the types that the call answers with.',
  not_found:
    'What the path or the body names does not exist: `resource_type` and `resource_id` say what; at a redemption `redeemable_type` and `redeemable_id` do. An unknown path has neither.',
  not_published: 'The card or referral code has no holder yet: publish it to a customer first.',
  oauth_tokens_limit_exceeded:
    'The project has as many active tokens as it may have, or 900 and the key its share of them. Use one until it ends, or revoke some.',
  page_over_limit: 'Lists end at this page. Narrow the list by filters.',
  password_required:
    'The user entered the password more than 10 minutes ago: `POST /dashboard/api/session/password-again`.',
  payload_expired: 'The delivery is too old to be sent again: its payload is no longer stored.',
  promotion_inactive: 'The promotion tier or its campaign is switched off, has not begun or has ended.',
  promotion_not_active_now:
    'The promotion tier or its campaign has hours, weekdays or a timeframe, and now is outside of them.',
  quantity_exceeded:
    'Every use of the code is taken. `redemption` tells how many there are (`quantity`) and how many are taken (`redeemed_quantity`).',
  query_too_large: 'The body is larger than the call reads.',
  customer_rules_violated:
    'The customer does not match a validation rule of the redeemable. `details` names the rules, `error.message` has the text of the shop.',
  order_rules_violated:
    'The order or its items do not match a validation rule of the redeemable. `details` names the rules, `error.message` has the text of the shop.',
  redemption_rules_violated:
    'A rule or a limit of the redeemable does not admit the redemption. `details` names what it is about.',
  referrer_not_permitted_to_redeem: 'The customer refers others with this code, and cannot use it itself.',
  request_headers_too_large: 'The headers have more than 16 KiB.',
  request_timeout: 'The request did not arrive within its time. Send it again.',
  invalid_validation_rules:
    'A validation rule cannot be evaluated as it is written; the details name the first problem.',
  resource_in_use:
    'Something refers to it: `details`, `related_object_type` and `related_object_ids` name what to change first. Or a template needs it, and it is in the trash bin.',
  sendout_in_delivery: 'The delivery is under way. Ask again when its status has changed.',
  resource_protected: 'The resource is never changed or deleted this way. `details` names it.',
  service_unavailable:
    'A part that the call needs does not answer, or is overloaded. Repeat after `Retry-After` with the same `Idempotency-Key`.',
  second_factor_exists: 'The user has a second factor already: `DELETE` takes it away first.',
  second_factor_required:
    'The password is right, and the user has a second factor. Send login, password and `code` together.',
  stacking_rules_exist: 'The project has stacking rules already. Change those: `GET` shows their id.',
  too_many_vouchers_requested:
    'Only one code can be published: with a `source_id`, and in a campaign that a customer joins once.',
  unauthorized:
    'The credentials are missing, wrong, blocked or expired. `details` and `WWW-Authenticate` say what the call takes.',
  unsupported_api_version:
    '`X-Service-API-Version` names a version that is not served. `details` lists those that are.',
  unsupported_discount:
    'The redeemable gives nothing, as a tier without a discount, or something that is not calculated yet, as a loyalty card. `details` names it.',
  unsupported_media_type: 'The body has a type or an encoding that the call does not read.',
  used_incorrect_role:
    'The role is none of ADMIN, USER, VIEWER, MERCHANT and USER_RESTRICTED, or the user is an owner, whose role is ADMIN.',
  user_not_assigned: 'The user has no role in the project. Nothing is left to do.',
  voucher_already_published:
    'The code belongs to a customer already; a code is published once. Publish from its campaign for another one.',
  voucher_cannot_be_published:
    'The customer joined the campaign before, which can be done once. Without a `source_id` the call answers the code of then.',
  voucher_disabled: 'The voucher or its campaign is switched off.',
  voucher_expired: 'The voucher or its campaign ended before.',
  voucher_not_active: 'The voucher or its campaign has not begun yet.',
  voucher_not_active_now: 'The voucher has hours, weekdays or a timeframe, and now is outside of them.',
  webhook_inactive: 'The webhook is switched off. Switch it on before its deliveries are sent again.',
};
