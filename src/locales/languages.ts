/** Each line is a language: its file in this folder, by its code. */
export { default as de } from './de.json' with { type: 'json' };
export { default as en } from './en.json' with { type: 'json' };
