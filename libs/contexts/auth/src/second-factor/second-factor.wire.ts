import type { OfferedFactor } from './second-factors';

/** Whether sign-ins of a user take a second factor. */
export interface SecondFactorResponse {
  object: 'second_factor';
  is_on: boolean;
  /** Of ten; each works once. */
  backup_codes_left: number;
}

/** The secret of a second factor, which can never be read again. */
export interface OfferedFactorResponse {
  object: 'second_factor_secret';
  /** In base32, to be typed. */
  secret: string;
  /** `otpauth://…`, to be shown as a QR code. */
  uri: string;
}

/** Backup codes, which can never be read again. */
export interface BackupCodesResponse {
  object: 'backup_codes';
  backup_codes: string[];
}

export const renderFactor = (backupCodesLeft: number | null): SecondFactorResponse => ({
  object: 'second_factor',
  is_on: backupCodesLeft !== null,
  backup_codes_left: backupCodesLeft ?? 0,
});

export const renderOfferedFactor = ({ secret, uri }: OfferedFactor): OfferedFactorResponse => ({
  object: 'second_factor_secret',
  ...{ secret, uri },
});

export const renderBackupCodes = (codes: readonly string[]): BackupCodesResponse => ({
  object: 'backup_codes',
  backup_codes: [...codes],
});
