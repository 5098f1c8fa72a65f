// End-to-end specs that `npm test` runs in one process only, and `npm run test:soak` between services too: their calls stay in
// one context, whose way from the gateway other specs go, or they need nine more processes for what one process shows as well.
module.exports = [
  'apps/scrip/src/api-log.e2e.spec.ts',
  'apps/scrip/src/catalog/products.e2e.spec.ts',
  'apps/scrip/src/customers/erasure.e2e.spec.ts',
  'apps/scrip/src/management/audit-trail.e2e.spec.ts',
  'apps/scrip/src/management/branding.e2e.spec.ts',
  'apps/scrip/src/management/event-schemas.e2e.spec.ts',
  'apps/scrip/src/management/location-filters.e2e.spec.ts',
  'apps/scrip/src/management/locations.e2e.spec.ts',
  'apps/scrip/src/management/project-users.e2e.spec.ts',
  'apps/scrip/src/management/projects.e2e.spec.ts',
  'apps/scrip/src/management/stacking-rules.e2e.spec.ts',
  'apps/scrip/src/metadata-filters.e2e.spec.ts',
  'apps/scrip/src/metadata-schemas.e2e.spec.ts',
  'apps/scrip/src/random-carts/random-carts.e2e.spec.ts',
  'apps/scrip/src/repetitions/repeated-posts.e2e.spec.ts',
  'tools/docs/src/recipes/recipes.e2e.spec.ts',
  // One path decides in both shapes; its way between services is that of the other specs of redemptions.
  'apps/scrip/src/worked-examples/worked-examples.e2e.spec.ts',
  'apps/scrip/src/redemption/browser-vouchers.e2e.spec.ts',
  'apps/scrip/src/redemption/discounts.e2e.spec.ts',
  'apps/scrip/src/redemption/single-tiers.e2e.spec.ts',
  'apps/scrip/src/redemption/single-voucher-requests.e2e.spec.ts',
  'apps/scrip/src/redemption/decided-by-one-version.e2e.spec.ts',
  'apps/scrip/src/rules/rules-by-name.e2e.spec.ts',
  // Walked between services on the shared Scrip too: `readme.e2e.spec.ts`. This one has a Scrip of its own to verify its state.
  'apps/scrip/src/main-job.e2e.spec.ts',
  // The edge refuses with the same code in both shapes.
  'apps/scrip/src/access/malformed-requests.e2e.spec.ts',
];
