import type { CodeConfig } from '@scrip/contracts/campaigns';

/** What a code order needs beside the event of its task. */
export interface GenerationPayload {
  /** What the codes are made from. */
  definition_id: string;
  code_config: CodeConfig;
  /** Whether the campaign's creation ordered them, and not a later call. */
  initial: boolean;
}
