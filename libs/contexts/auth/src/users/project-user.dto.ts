import { IsAnything, IsText } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { emailForm } from './email-form';
import { projectsOfUserMax } from './user.decider';

const IsId = () => IsText({ min: 1, max: 128 });
const IsRole = () => IsText({ max: 64, description: 'ADMIN, USER, VIEWER, MERCHANT or USER_RESTRICTED.' });
const IsPersonName = () => IsText({ max: 100 });

/** Names the user by exactly one of `id` and `login`. Source: reference 07 §14. */
export class AddUserBody {
  @IsOptional() @IsId() id?: string | null;
  @IsOptional() @IsText({ min: 1, max: 254 }) login?: string | null;
  @IsRole() role: string;
}

/** Source: reference 07 §14. */
export class ChangeUserBody {
  @IsRole() role: string;
}

/** Source: reference 07 §14. */
export class InviteUserBody {
  @IsText({ min: 1, max: 254, description: 'The login, too.' }) email: string;
  @IsPersonName() first_name: string;
  @IsPersonName() last_name: string;

  @IsAnything({
    type: 'object',
    description: 'Role by project id.',
    minProperties: 1,
    maxProperties: projectsOfUserMax,
    additionalProperties: { type: 'string' },
  })
  projects: Record<string, string>;
}

/** What an invitation names wrongly; null: nothing. */
export const problemOfInvitation = ({ email, projects }: InviteUserBody): string | null => {
  if (!emailForm.test(email)) return 'Property .email must be a valid email';
  if (projects === undefined) return "Payload must have required property 'projects'";
  if (typeof projects !== 'object' || projects === null || Array.isArray(projects))
    return 'Property .projects must be object';
  const roles = Object.entries(projects);
  if (roles.length === 0) return 'Property .projects should NOT have fewer than 1 properties';
  if (roles.length > projectsOfUserMax)
    return `Property .projects should NOT have more than ${projectsOfUserMax} properties`;
  const wrong = roles.find(([, role]) => typeof role !== 'string');
  return wrong ? `Property .projects.${wrong[0]} must be string` : null;
};
