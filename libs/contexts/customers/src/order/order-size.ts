import { orderBytesMax, type OrderSnapshot } from '@scrip/contracts/customers';
import { type Refusal, refuse } from '@scrip/kernel';

/** Refuses `invalid_payload` for an order that is too large to be stored. `asked`: what the details say that it comes of. */
export const tooLarge = (order: OrderSnapshot, asked: string): Refusal<'invalid_payload'> | null =>
  Buffer.byteLength(JSON.stringify(order)) <= orderBytesMax
    ? null
    : refuse('invalid_payload', `${asked} larger than ${orderBytesMax} bytes`);
