import type { ExportedObject, ExportParameters } from '@scrip/contracts/operations';
import type { StoredExport } from './export.table';

/** Which records an export has; `filters` as bodies have them, absent where there are none. */
export interface ExportParametersResponse {
  order: string;
  fields: string[];
  filters?: Record<string, unknown>;
  campaign_id?: string;
}

/** Where the file of an export is. */
export interface ExportResultResponse {
  /** Works for an hour, without other credentials. */
  url: string;
}

/** An export. Source: reference 07 §12. */
export interface ExportResponse {
  id: string;
  object: 'export';
  created_at: string;
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'DONE' | 'ERROR';
  channel: string;
  exported_object: ExportedObject;
  parameters: ExportParametersResponse;
  result: ExportResultResponse | null;
  /** The user, or the application key, that ordered it. */
  user_id: string | null;
}

const renderParameters = ({
  order,
  fields,
  filters,
  campaign_id,
  of,
}: ExportParameters): ExportParametersResponse => {
  const named = Object.entries(of ?? {}).map(([field, id]) => [field, { $in: [id] }] as const);
  const conditions = [...Object.entries(filters.fields), ...named].map(([field, conditions]) => [
    field,
    { conditions },
  ]);
  return {
    order,
    fields,
    ...(conditions.length === 0
      ? {}
      : { filters: { junction: filters.junction, ...Object.fromEntries(conditions) } }),
    ...(campaign_id === undefined ? {} : { campaign_id }),
  };
};

/** An export as answers show it. `link`: to its file, made where there is one. */
export const renderExport = (
  { id, created_at, status, channel, order, user_id }: StoredExport,
  link: () => string,
): ExportResponse => ({
  id,
  object: 'export',
  created_at,
  status,
  channel,
  exported_object: order.exported_object,
  parameters: renderParameters(order.parameters),
  result: status === 'DONE' ? { url: link() } : null,
  user_id,
});
