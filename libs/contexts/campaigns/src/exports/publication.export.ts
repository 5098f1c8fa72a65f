import { Injectable } from '@nestjs/common';
import type { PublicationSnapshot } from '@scrip/contracts/campaigns';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import { type ExportKind, exportCondition } from '@scrip/exports';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, StatementValues, type TypedMembers } from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { publicationFilters, publicationsSortedBy } from '../publication/publication-list.query';
import type { PublicationState } from '../publication/publication.decider';

/** What a line is made of. */
interface ExportedPublication {
  publication: PublicationSnapshot;
  customer: CustomerSnapshot | undefined;
}

interface PublicationRow {
  state: PublicationState;
}

const columnsWith = (schema: TypedMembers): FilterColumns => ({
  ...publicationFilters,
  created_at: { sql: 't.created_at', kind: 'instant', calendar: schema.calendar },
  // Other names of campaign_name, customer_id and the code of the voucher.
  campaign: { sql: 't.campaign', kind: 'text' },
  customer: { sql: 't.customer_id', kind: 'text' },
  voucher: { sql: 't.voucher_code', kind: 'text' },
  'metadata.*': { kind: 'members', sql: `t.state->'publication'->'metadata'`, schema },
});

/** Of several codes, all of them. */
const codesOf = ({ publication }: ExportedPublication): string[] =>
  publication.vouchers.map(({ code }) => code);

type Cells = Record<ExportField<'publication'>, (item: ExportedPublication) => unknown>;

/** Publications and attempts to publish, as GET /v1/publications shows them, a line each. Source: reference 07 §12. */
@Injectable()
export class PublicationExport implements ExportKind<PublicationRow, ExportedPublication> {
  readonly kind = 'publication';
  readonly metadataSchema = 'publication';

  constructor(
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  statement({ project }: RequestContext, parameters: ExportParameters, typeOf: MetadataTypes) {
    const { add, all } = new StatementValues();
    const where = [`t.project_id = ${add(project.id)}`];
    const schema = { typeOf, calendar: calendarAt(project, this.clock.now(project)) };
    const filter = exportCondition(parameters, columnsWith(schema), add);
    if (isRefused(filter)) return filter;
    const { field, descending } = orderOf(parameters.order);
    const direction = descending ? 'DESC' : 'ASC';
    const sorted = publicationsSortedBy[field as keyof typeof publicationsSortedBy];
    const text = `SELECT t.state FROM publications t WHERE ${[...where, filter].join(' AND ')}
      ORDER BY ${sorted} ${direction}, t.id ${direction}`;
    return { text, values: all };
  }

  async open(
    context: RequestContext,
    rows: readonly PublicationRow[],
    { fields }: ExportParameters,
  ): Promise<ExportedPublication[]> {
    const publications = rows.map(({ state }) => state.publication);
    const ids = fields.includes('customer_source_id')
      ? [...new Set(publications.map(({ customer_id }) => customer_id))]
      : [];
    const customers = ids.length === 0 ? [] : await this.customers.loadCustomers(context, { ids });
    const byId = new Map(customers.map((customer) => [customer.id, customer]));
    return publications.map((publication) => ({
      publication,
      customer: byId.get(publication.customer_id),
    }));
  }

  readonly cells: Cells = {
    code: codesOf,
    voucher_code: codesOf,
    is_winner: () => null,
    customer_id: ({ publication }) => publication.customer_id,
    customer_source_id: ({ customer }) => customer?.source_id,
    date: ({ publication }) => publication.created_at,
    channel: ({ publication }) => publication.channel,
    id: ({ publication }) => publication.id,
    source_id: ({ publication }) => publication.source_id,
    campaign: ({ publication }) => publication.campaign,
    campaign_id: ({ publication }) => publication.campaign_id,
    voucher_type: ({ publication }) => publication.voucher_type,
    is_referral_code: ({ publication }) => publication.is_referral_code,
    result: ({ publication }) => publication.result,
    failure_code: ({ publication }) => publication.failure_code,
    failure_message: ({ publication }) => publication.failure_message,
  };

  metadataOf = ({ publication }: ExportedPublication) => publication.metadata;
}
