export { lab } from '@capstan/lab';
