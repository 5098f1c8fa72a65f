import { IsText, Nested } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { emailForm } from '../users/email-form';
import type { BrandingChange } from './branding';

const IsUrl = () => IsText({ max: 2_048, description: 'An http or https URL.' });
const IsLine = () => IsText({ min: 1, max: 255 });

class BrandBody {
  @IsLine() name: string;
  @IsOptional() @IsUrl() privacy_policy_url?: string | null;
  @IsOptional() @IsUrl() terms_of_use_url?: string | null;
  @IsOptional() @IsText({ max: 1_000 }) permission_reminder?: string | null;
  @IsOptional() @IsUrl() website_url?: string | null;
}

class AddressBody {
  @IsLine() street: string;
  @IsLine() city: string;
  @IsOptional() @IsText({ max: 32 }) postal?: string | null;
  @IsOptional() @IsText({ max: 255 }) state?: string | null;
  @IsLine() country: string;
}

class ContactBody {
  @IsText({ min: 1, max: 254 }) email: string;
  @IsOptional() @IsText({ max: 64 }) phone?: string | null;
}

/** Source: reference 07 §14. */
export class BrandingBody {
  @Nested(() => BrandBody) brand: BrandBody;
  @Nested(() => AddressBody) address: AddressBody;
  @Nested(() => ContactBody) contact: ContactBody;
}

class BrandChangeBody {
  @IsOptional() @IsLine() name?: string;
  @IsOptional() @IsUrl() privacy_policy_url?: string | null;
  @IsOptional() @IsUrl() terms_of_use_url?: string | null;
  @IsOptional() @IsText({ max: 1_000 }) permission_reminder?: string | null;
  @IsOptional() @IsUrl() website_url?: string | null;
}

class AddressChangeBody {
  @IsOptional() @IsLine() street?: string;
  @IsOptional() @IsLine() city?: string;
  @IsOptional() @IsText({ max: 32 }) postal?: string | null;
  @IsOptional() @IsText({ max: 255 }) state?: string | null;
  @IsOptional() @IsLine() country?: string;
}

class ContactChangeBody {
  @IsOptional() @IsText({ min: 1, max: 254 }) email?: string;
  @IsOptional() @IsText({ max: 64 }) phone?: string | null;
}

/** Source: reference 07 §14. */
export class BrandingChangeBody {
  @IsOptional() @Nested(() => BrandChangeBody) brand?: BrandChangeBody;
  @IsOptional() @Nested(() => AddressChangeBody) address?: AddressChangeBody;
  @IsOptional() @Nested(() => ContactChangeBody) contact?: ContactChangeBody;
}

const urls = ['privacy_policy_url', 'terms_of_use_url', 'website_url'] as const;

const required = { brand: ['name'], address: ['street', 'city', 'country'], contact: ['email'] } as const;

const isUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

const problemOfNulls = (sent: BrandingChange): string | null => {
  for (const [part, names] of Object.entries(required) as [keyof typeof required, readonly string[]][]) {
    const emptied = names.find(
      (name) => (sent[part] as Record<string, unknown> | undefined)?.[name] === null,
    );
    if (emptied !== undefined) return `Property .${part}.${emptied} must be string`;
  }
  return null;
};

/** What is sent of a branding wrongly; null: nothing. */
export const problemOfBranding = (sent: BrandingChange): string | null => {
  const emptied = problemOfNulls(sent);
  if (emptied !== null) return emptied;
  const url = urls.find((name) => {
    const text = sent.brand?.[name];
    return text != null && !isUrl(text);
  });
  if (url !== undefined) return `Property .brand.${url} must be an http or https URL`;
  const email = sent.contact?.email;
  return email != null && !emailForm.test(email) ? 'Property .contact.email must be a valid email' : null;
};
