import type { CustomerInput } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';
import { IsDay, IsMetadata, IsText, Nested } from '@scrip/edge';
import { IsOptional } from 'class-validator';

const lineLengthMax = 4_096;

/** Longest source id in UTF-16 units; what fits an index entry. */
export const sourceIdLengthMax = 512;

class CustomerAddressBody {
  @IsOptional() @IsText({ max: lineLengthMax }) city?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) state?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) line_1?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) line_2?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) country?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) postal_code?: string | null;
}

/** Body of PUT /v1/customers/{customerId}: null clears a field. Source: reference 07 §3. */
export class UpdateCustomerBody {
  @IsOptional() @IsText({ max: lineLengthMax }) name?: string | null;
  @IsOptional() @IsText() description?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) email?: string | null;
  @IsOptional() @IsText({ max: lineLengthMax }) phone?: string | null;
  @IsOptional() @IsDay() birthday?: string | null;
  @IsOptional() @IsDay() birthdate?: string | null;
  @IsOptional() @Nested(() => CustomerAddressBody) address?: CustomerAddressBody | null;
  @IsOptional() @IsMetadata() metadata?: Metadata | null;
}

/** Body of POST /v1/customers: further which customer it is. Source: reference 07 §3. */
export class CustomerBody extends UpdateCustomerBody {
  @IsOptional() @IsText({ max: sourceIdLengthMax }) id?: string | null;
  @IsOptional()
  @IsText({ max: sourceIdLengthMax, description: 'Your own id of the customer. Case-sensitive.' })
  source_id?: string | null;
}

/** What a body sends: absent fields stay as they are. */
export const inputOf = ({ metadata, ...fields }: UpdateCustomerBody): CustomerInput => ({
  ...fields,
  ...(metadata ? { metadata } : {}),
});
