import { notFound, type Refusal, refuse } from '@scrip/kernel';

/** Who a project writes to customers as. Source: reference 07 §14. */
export interface Branding {
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

/** The branding of a project. */
export interface StoredBranding {
  /** `brd_…` */
  id: string;
  branding: Branding;
}

/** What is to change of it; absent stays, null empties. */
export type BrandingChange = {
  [Part in keyof Branding]?:
    { [Name in keyof Branding[Part]]?: Branding[Part][Name] | null | undefined } | null | undefined;
};

export type BrandingRefusal = Refusal<'not_found' | 'branding_exist'>;

/** The reminder of a project that has no other. */
export const defaultReminder = 'You are receiving this email because you opted in at our website.';

/** What a branding is made of before anything is sent. */
export const emptyBranding: Branding = {
  brand: {
    name: '',
    privacy_policy_url: null,
    terms_of_use_url: null,
    permission_reminder: defaultReminder,
    website_url: null,
  },
  address: { street: '', city: '', postal: null, state: '', country: '' },
  contact: { email: '', phone: null },
};

const overlaid = <Part extends object>(
  known: Part,
  sent: { [Name in keyof Part]?: Part[Name] | null | undefined } | null | undefined,
  empty: Part,
): Part =>
  Object.fromEntries(
    Object.entries(known).map(([name, value]) => {
      const wanted = sent?.[name as keyof Part];
      return [name, wanted === undefined ? (value as unknown) : (wanted ?? empty[name as keyof Part])];
    }),
  ) as Part;

/** Returns a branding with what is sent; the rest stays. */
export const changedBranding = ({ brand, address, contact }: Branding, sent: BrandingChange): Branding => ({
  brand: overlaid(brand, sent.brand, emptyBranding.brand),
  address: overlaid(address, sent.address, emptyBranding.address),
  contact: overlaid(contact, sent.contact, emptyBranding.contact),
});

/** The project has no branding, or another one. */
export const brandingNotFound = (id: string): Refusal<'not_found'> => notFound('branding', id);

/** The project has one already. */
export const brandingExists = (id: string): Refusal<'branding_exist'> =>
  refuse('branding_exist', `The project has a branding already: ${id}`, {
    resourceId: id,
    resourceType: 'branding',
  });
