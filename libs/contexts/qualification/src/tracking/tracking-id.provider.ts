import { Inject, type Provider } from '@nestjs/common';
import { purposeRing, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { trackingIds, trackingIdsPurpose } from '@scrip/wire/qualification';

const TRACKING_IDS = Symbol('qualification.tracking-ids');

/** Injects `TrackingIds`. */
export const InjectTrackingIds = () => Inject(TRACKING_IDS);

export const trackingIdsProvider: Provider = {
  provide: TRACKING_IDS,
  inject: [SCRIP_CONFIG],
  useFactory: (config: ScripConfig) => trackingIds(purposeRing(config, trackingIdsPurpose)),
};
