import { type Keyring, type MachineClock, SealBroken } from '@scrip/kernel';
import { purposeRing, type ScripConfig } from '@scrip/service';

/** How long a link works. Source: reference 07 §12. */
const linkMs = 3_600_000;

/** The file that a token opens. */
export interface OpenedFile {
  projectId: string;
  id: string;
}

/** Makes links to files of one kind, and reads their tokens: a sealed text that names project, file and the end of its
 *  time. */
export class DownloadLinks {
  private readonly keys: Keyring;

  /** `purpose`: of the keys of its tokens, and the path below `/v1`. */
  constructor(
    private readonly config: ScripConfig,
    private readonly clock: MachineClock,
    private readonly purpose: 'task-results' | 'exports',
  ) {
    this.keys = purposeRing(config, purpose);
  }

  /** Returns a link that works for an hour, without other credentials. */
  of({ projectId, id }: OpenedFile): string {
    const token = this.keys.seal(JSON.stringify([projectId, this.clock.now().getTime() + linkMs]), id);
    return `${this.config.baseUrl}/v1/${this.purpose}/${encodeURIComponent(id)}?token=${token}`;
  }

  /** Returns what a token opens; null for one of another file, one past its time, and for whatever was not made here. */
  open(id: string, token: string): OpenedFile | null {
    try {
      const [projectId, until] = JSON.parse(this.keys.open(token, id)) as [string, number];
      return this.clock.now().getTime() < until ? { projectId, id } : null;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}
