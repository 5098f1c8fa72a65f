import { Injectable } from '@nestjs/common';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { type TaskOwner, taskOwner, type TasksPort } from '@scrip/contracts/operations';
import { InjectPort } from '@scrip/rpc';

/** The contexts that run background tasks. */
@Injectable()
export class TaskOwners {
  private readonly owners: Record<TaskOwner, TasksPort>;

  constructor(
    @InjectPort(campaignsPort) campaigns: CampaignsPort,
    @InjectPort(customersPort) customers: CustomersPort,
    @InjectPort(catalogPort) catalog: CatalogPort,
  ) {
    this.owners = { campaigns, customers, catalog };
  }

  /** Who runs the task with this id; null when no task can have it. */
  of(id: string): TasksPort | null {
    const owner = taskOwner(id);
    return owner && this.owners[owner];
  }
}
