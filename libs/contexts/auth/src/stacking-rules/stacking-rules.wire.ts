import type { StackingRulesSnapshot } from '@scrip/contracts/auth';
import { defaultStackingSettings, type StackingSettings } from '@scrip/order-calculation';

/** Stacking rules as management shows them; the defaults have neither id nor dates. Source: reference 01 §10. */
export interface StackingRulesResponse extends StackingSettings {
  id?: string;
  created_at?: string;
  updated_at?: string;
}

/** Renders the rules of a project; undefined: it has the defaults. */
export const renderStackingRules = (rules: StackingRulesSnapshot | undefined): StackingRulesResponse => {
  if (!rules) return defaultStackingSettings;
  const { id, settings, created_at, updated_at } = rules;
  return { id, ...settings, created_at, ...(updated_at === null ? {} : { updated_at }) };
};
