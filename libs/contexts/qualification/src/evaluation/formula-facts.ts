import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import type { Knowledge } from './evaluate';
import { orderMetadata, type RequestOrder } from './request-order';

/** What formulas read of a request besides the order and its redeemables. Source: reference 01 §8. */
export const formulaFacts = (
  { metadata }: Pick<RedeemablesRequest, 'metadata'>,
  customer: CustomerSnapshot | null,
  order: RequestOrder | null,
): NonNullable<Knowledge['facts']> => ({
  customer: customer && { metadata: customer.metadata, birthdate: customer.birthdate },
  redemptionMetadata: metadata ?? {},
  orderMetadata: order ? orderMetadata(order) : {},
});
