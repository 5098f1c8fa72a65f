import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '@scrip/kernel';
import { type StackingSettings, defaultStackingSettings } from '@scrip/order-calculation';

/** What a project decided about redeeming. */
@Injectable()
export class ProjectSettings {
  /** The stacking rules: the defaults, since a project cannot store others yet. Source: reference 01 §10. */
  stackingOf(_: ProjectContext): StackingSettings {
    return defaultStackingSettings;
  }
}
