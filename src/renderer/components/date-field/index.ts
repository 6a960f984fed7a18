export { DateField, TimeField } from './date-field.tsx';
