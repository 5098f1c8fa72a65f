import type { PublicationSucceeded } from '@scrip/contracts/campaigns';
import { publicationFact, publicationSubject, simpleCampaign, simpleVoucher } from '@scrip/wire/campaigns';
import { simpleCustomer } from '@scrip/wire/customers';
import { type Relations, rendererOf } from '../renderer';

const related = ({ publication, campaign }: PublicationSucceeded['data'], relations: Relations) => {
  const customer = relations.customer(publication.customer_id);
  return {
    customer: customer && simpleCustomer(customer),
    campaign: campaign && simpleCampaign(campaign),
    publication: publicationSubject(publicationFact(publication), customer),
  };
};

const customersOf = ({ publication }: PublicationSucceeded['data']) => [publication.customer_id];

/** Kinds about publications: one for each, and one for each of its codes. Source: reference 06 §3. */
export const publicationRenderers = [
  rendererOf<PublicationSucceeded>({
    kind: 'publication.succeeded',
    of: 'PublicationSucceeded',
    customers: customersOf,
    render: (data, relations) => {
      const vouchers = data.vouchers.map(simpleVoucher);
      return {
        entityId: data.publication.id,
        data: {
          ...related(data, relations),
          ...(vouchers.length === 1 ? { voucher: vouchers[0] } : {}),
          vouchers,
          user: relations.user,
        },
      };
    },
  }),
  rendererOf<PublicationSucceeded>({
    kind: 'voucher.published',
    of: 'PublicationSucceeded',
    customers: customersOf,
    render: (data, relations) => {
      const relatedToAll = related(data, relations);
      return data.vouchers.map((voucher) => ({
        entityId: voucher.id,
        data: { ...relatedToAll, voucher: simpleVoucher(voucher), created_at: data.publication.created_at },
      }));
    },
  }),
];
