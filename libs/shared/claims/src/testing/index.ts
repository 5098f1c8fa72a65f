export { FakeCoordinator } from './fake-coordinator';
export { claimsSuite } from './claims-suite';
export type { OwnerUnderTest } from './owner-under-test';
export { lostClaims } from './lost-claims';
export { type CreditsOwner, startCreditsOwner } from './credits-owner';
