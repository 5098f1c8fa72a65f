import { Injectable } from '@nestjs/common';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import {
  type ExportedObject,
  exportKindOf,
  type ExportOwner,
  type ExportsPort,
} from '@scrip/contracts/operations';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { ContextExports } from '@scrip/exports';
import { InjectPort } from '@scrip/rpc';

/** The contexts whose records can be exported. */
@Injectable()
export class ExportOwners {
  private readonly owners: Record<ExportOwner, ExportsPort>;

  constructor(
    @InjectPort(campaignsPort) campaigns: CampaignsPort,
    @InjectPort(catalogPort) catalog: CatalogPort,
    @InjectPort(customersPort) customers: CustomersPort,
    @InjectPort(qualificationPort) qualification: QualificationPort,
    own: ContextExports,
  ) {
    const operations = { checkExport: own.check, writeExport: own.write };
    this.owners = { campaigns, catalog, customers, operations, qualification };
  }

  /** Whose records a kind is made of. */
  of(kind: ExportedObject): ExportsPort {
    return this.owners[exportKindOf(kind).owner];
  }
}
