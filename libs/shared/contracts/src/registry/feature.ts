/** What an installation can be run without: calls of a feature that is switched off are answered 402. Source: reference
 *  07 §14. */
export const features = [
  'branding',
  'custom_events',
  'locations',
  'metadata_schemas',
  'stacking_rules',
  'users',
  'webhooks',
] as const;

/** A feature that can be switched off. */
export type Feature = (typeof features)[number];

export const isFeature = (name: string): name is Feature => (features as readonly string[]).includes(name);
