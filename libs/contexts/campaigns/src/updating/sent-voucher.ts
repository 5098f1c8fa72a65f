import { isDeepStrictEqual } from 'node:util';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether what was sent says no other than what is stored; what it leaves out is not asked about. */
const saysNoOther = (sent: unknown, stored: unknown): boolean => {
  if (sent === undefined || sent === null) return stored === undefined || stored === null;
  if (!isObject(sent) || !isObject(stored)) return isDeepStrictEqual(sent, stored);
  return Object.entries(sent).every(([name, value]) => saysNoOther(value, stored[name]));
};

const atTheTop = {
  discount: "send 'discount' at the top level of the body",
  gift: "send 'gift' at the top level of the body",
  redemption: "send 'default_voucher_redemption' at the top level of the body",
  start_date: "send 'start_date' at the top level of the body",
  expiration_date: "send 'expiration_date' at the top level of the body",
  validity_timeframe: "send 'validity_timeframe' at the top level of the body",
  validity_day_of_week: "send 'validity_day_of_week' at the top level of the body",
  validity_hours: "send 'validity_hours' at the top level of the body",
  loyalty_card: 'a campaign keeps what its cards begin with',
} as const;

/** Refuses `invalid_payload` for a `voucher`, laid out as answers show it, that says another thing than the campaign does: a change has its
 *  place at the top level of the body. An answer that is sent back is taken. Source: reference 04 §4.3. */
export const sentVoucherMustStay = (
  campaign: CampaignSnapshot,
  sent: Readonly<Record<string, unknown>> | null | undefined,
): CampaignsRefusal | null => {
  const { voucher } = campaign;
  if (!voucher || !sent) return null;
  const stored: Record<string, unknown> = { ...campaign, ...voucher };
  for (const [name, where] of Object.entries(atTheTop))
    if (Object.hasOwn(sent, name) && !saysNoOther(sent[name], stored[name]))
      return refuse('invalid_payload', `Property .voucher.${name} cannot be changed there: ${where}`);
  return null;
};
