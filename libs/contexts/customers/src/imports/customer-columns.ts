import type { ImportColumns } from '@scrip/tasks/imports';

/** The columns of a file of customers. Source: reference 07 §11. */
export const customerColumns: ImportColumns = {
  identifier: 'source_id',
  standard: [
    { names: ['Id'], field: 'id' },
    { names: ['Source_id'], field: 'source_id' },
    { names: ['Name'], field: 'name' },
    { names: ['Email'], field: 'email' },
    { names: ['Phone'], field: 'phone' },
    { names: ['Birthdate'], field: 'birthdate' },
    { names: ['Description'], field: 'description' },
    { names: ['Address_line_1'], field: 'line_1' },
    { names: ['Address_line_2'], field: 'line_2' },
    { names: ['Address_City', 'City'], field: 'city' },
    { names: ['Address_State', 'State'], field: 'state' },
    { names: ['Address_Postal_Code', 'Postal_Code'], field: 'postal_code' },
    { names: ['Address_Country', 'Country'], field: 'country' },
  ],
};
