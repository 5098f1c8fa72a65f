import type { Provider } from '@nestjs/common';
import type { MachineClock } from '@scrip/kernel';
import { MACHINE_CLOCK, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { DownloadLinks } from './download-links';

/** Links to reports of tasks. */
export class ReportLinks extends DownloadLinks {}

/** Links to files of exports. */
export class ExportLinks extends DownloadLinks {}

const inject = [SCRIP_CONFIG, MACHINE_CLOCK];

export const linksProviders: Provider[] = [
  {
    provide: ReportLinks,
    inject,
    useFactory: (config: ScripConfig, clock: MachineClock) => new ReportLinks(config, clock, 'task-results'),
  },
  {
    provide: ExportLinks,
    inject,
    useFactory: (config: ScripConfig, clock: MachineClock) => new ExportLinks(config, clock, 'exports'),
  },
];
