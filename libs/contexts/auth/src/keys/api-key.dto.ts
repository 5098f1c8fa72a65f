import { IsFlag, IsOneOf, IsText, IsTextList } from '@scrip/edge';
import { type Refusal, refuse } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { incorrectRole, isUserRole } from '../users/role';
import { addressesMax, isAddressOrRange } from './allowed-ip';

const IsKeyName = () => IsText({ min: 1, max: 255 });
const IsKeyRole = () => IsText({ max: 64, description: 'ADMIN, USER, VIEWER, MERCHANT or USER_RESTRICTED.' });
const IsAddresses = () =>
  IsTextList({
    max: addressesMax,
    maxLength: 64,
    description: 'Addresses and CIDR ranges; none: from anywhere.',
  });

/** Source: reference 07 §14. */
export class NewApiKeyBody {
  @IsKeyName() name: string;
  @IsOneOf(['server', 'client']) kind: 'server' | 'client';
  @IsOptional() @IsKeyRole() role?: string;
  @IsOptional() @IsFlag() integration?: boolean;
  @IsOptional() @IsAddresses() allowed_ips?: string[];
}

/** Source: reference 07 §14. */
export class ApiKeyChangeBody {
  @IsOptional() @IsKeyName() name?: string;
  @IsOptional() @IsKeyRole() role?: string;
  @IsOptional() @IsFlag() active?: boolean;
  @IsOptional() @IsAddresses() allowed_ips?: string[];
}

/** Refuses a client-side key of an integration: browsers would show it to everybody. */
export const refusalOfIntegration = ({
  kind,
  integration,
}: Pick<NewApiKeyBody, 'kind' | 'integration'>): Refusal<'invalid_payload'> | null =>
  integration && kind !== 'server'
    ? refuse('invalid_payload', 'Property .integration can be true for server keys only')
    : null;

/** Refuses a role that no key can have, and what is no address. */
export const refusalOfKey = ({
  role,
  allowed_ips,
}: Pick<ApiKeyChangeBody, 'role' | 'allowed_ips'>): Refusal<
  'used_incorrect_role' | 'invalid_payload'
> | null => {
  if (role != null && !isUserRole(role)) return incorrectRole(role);
  const wrong = (allowed_ips ?? []).findIndex((entry) => !isAddressOrRange(entry));
  if (wrong < 0) return null;
  return refuse(
    'invalid_payload',
    `Property .allowed_ips[${wrong}] must be an address or a range of addresses`,
  );
};
