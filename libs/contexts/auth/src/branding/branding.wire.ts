import type { StoredBranding } from './branding';

/** The branding of a project, as management shows it. Source: reference 07 §14. */
export interface BrandingResponse {
  /** `brd_…` */
  id: string;
  brand: {
    name: string;
    privacy_policy_url: string | null;
    terms_of_use_url: string | null;
    permission_reminder: string;
    website_url: string | null;
  };
  address: { street: string; city: string; postal: string | null; state: string; country: string };
  contact: { email: string; phone: string | null };
}

/** Renders a branding. */
export const renderBranding = ({ id, branding }: StoredBranding): BrandingResponse => ({ id, ...branding });
