import type { Refusal, RequestContext } from '@scrip/kernel';
import type { ExportedObject } from './export-kinds';

/** Which records an export has, in which order, and what it says of them. */
export interface ExportParameters {
  /** Columns in their order; `metadata` and `metadata.<key>` among them. At least one. */
  fields: string[];
  /** A field, `-` before it for descending. */
  order: string;
  /** Fields joined by `junction`; of each the values by operator. */
  filters: { junction: 'and' | 'or'; fields: Record<string, Record<string, readonly unknown[]>> };
  /** Of vouchers: those of this campaign only, whatever the filters say. */
  campaign_id?: string;
  /** Of transactions: those of one voucher, or of all vouchers of one campaign, whatever the filters say. */
  of?: { voucher_id: string } | { campaign_id: string };
}

/** An export as its owner carries it out. */
export interface ExportOrder {
  exported_object: ExportedObject;
  parameters: ExportParameters;
}

/** What operations ask of a context whose records can be exported. Source: architecture §9. */
export interface ExportsPort {
  /** Refuses filters whose operators or values do not fit their field. */
  checkExport(
    context: RequestContext,
    request: { order: ExportOrder },
  ): Promise<{ fits: true } | Refusal<'invalid_payload'>>;

  /** Writes the records as they are now to a file, and answers when it is there: after minutes, where there are many. The file
   *  is named by the caller and sealed with the key that `wrapped_key` holds, of the export `id`. Refuses as `checkExport` does. May be repeated
   *  under another name. */
  writeExport(
    context: RequestContext,
    request: { id: string; order: ExportOrder; file: { name: string; wrapped_key: string } },
  ): Promise<{ rows: number } | Refusal<'invalid_payload'>>;
}

/** The methods of `ExportsPort`, for the port of an owner. */
export const exportsMethods = ['checkExport', 'writeExport'] as const;

/** The keys of files: the purpose of the key that wraps them, and what each is bound to. */
export const exportFileKeys = {
  purpose: 'export-files',
  boundTo: (projectId: string, exportId: string): string => `${projectId}|${exportId}`,
} as const;
