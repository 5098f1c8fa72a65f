import { newRequestId } from '@scrip/kernel';
import type { AuditActor } from './audit-entry';

/** Who changes something by the commands of operators and at the start. */
export const operator = (): AuditActor => ({ requestId: newRequestId(), apiKey: null, user: null });
