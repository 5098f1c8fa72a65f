import type {
  CampaignSnapshot,
  HolderAssigned,
  HolderSnapshot,
  HolderUnassigned,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import { type Refusal, notFound, refuse } from '@scrip/kernel';
import { holderAssigned } from '../publication/publication.decider';

/** A code that is published, and the publication that tells of its holders. */
export interface ReferralCode {
  publication_id: string;
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot;
}

/** Makes customers referees of a code. `holder_id`: of the entry that the customer gets. */
export interface AssignReferees extends ReferralCode {
  referees: readonly { customer_id: string; holder_id: string }[];
  metadata: Metadata;
  now: Instant;
}

/** Where a call for referees is refused. */
export type AssigningRefusal = Refusal<'duplicate_found' | 'holder_assignement_duplication'>;

/** Refuses a list that names a customer twice. `names`: what customers were found by; nameless ones are left out. */
export const namedOnce = (names: readonly string[]): Refusal<'duplicate_found'> | null => {
  const twice = names.find((name, place) => name !== '' && names.indexOf(name) !== place);
  return twice === undefined
    ? null
    : refuse('duplicate_found', `Duplicated customer exists with id ${twice}`, {
        resourceId: twice,
        resourceType: 'customer',
      });
};

/** Refuses customers who have a part in the code already, but for the entries of the same call. `existing`: entries of the code.
 *  Source: reference 04 §11. */
export const notAssignedYet = (
  existing: readonly HolderSnapshot[],
  referees: AssignReferees['referees'],
): Refusal<'holder_assignement_duplication'> | null =>
  referees.some(({ customer_id, holder_id }) =>
    existing.some((holder) => holder.customer_id === customer_id && holder.id !== holder_id),
  )
    ? refuse('holder_assignement_duplication', 'Customer is already assigned to given redeemable')
    : null;

const refereeOf = (
  { publication_id, voucher, campaign, metadata, now }: AssignReferees,
  { customer_id, holder_id }: AssignReferees['referees'][number],
): HolderSnapshot => ({
  id: holder_id,
  voucher_id: voucher.id,
  customer_id,
  role: 'REFEREE',
  publication_id,
  campaign_id: campaign.id,
  campaign_type: campaign.campaign_type,
  voucher_type: voucher.type,
  created_at: now,
  ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
});

/** Assigns all or none; those of the same call, repeated, are not told of again. `existing`: the entries of the code that the
 *  customers have. Source: reference 04 §11. */
export const assignReferees = (
  command: AssignReferees,
  existing: readonly HolderSnapshot[],
): HolderAssigned[] | AssigningRefusal => {
  const { referees, voucher, campaign } = command;
  const refusal =
    namedOnce(referees.map(({ customer_id }) => customer_id)) ?? notAssignedYet(existing, referees);
  if (refusal) return refusal;
  const missing = referees.filter(({ holder_id }) => existing.every(({ id }) => id !== holder_id));
  return missing.map((referee) => holderAssigned(refereeOf(command, referee), voucher, campaign));
};

/** Takes a referee's part in a code away. `holder`: the entry of that id, null where the code has none.
 *  Source: reference 04 §11. */
export const unassignReferee = (
  holderId: string,
  holder: HolderSnapshot | null,
  { voucher, campaign }: Pick<ReferralCode, 'voucher' | 'campaign'>,
): HolderUnassigned | Refusal<'not_found' | 'forbidden'> => {
  if (!holder) return notFound('redeemable_holder', holderId);
  if (holder.role !== 'REFEREE') {
    return refuse('forbidden', 'You can not remove Referrer assignment', {
      message: 'Can not remove assignment',
    });
  }
  return { type: 'HolderUnassigned', data: { holder, voucher, campaign } };
};
