export { FakeCoordinator } from './fake-coordinator';
export { type OwnerUnderTest, claimsSuite } from './claims-suite';
export { lostClaims } from './lost-claims';
export { type CreditsOwner, startCreditsOwner } from './credits-owner';
