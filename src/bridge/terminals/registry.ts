/** The protocols: one line for each. What they are is in their folders. */
export { descriptor as ecr17 } from './ecr17/descriptor.ts';
export { descriptor as ecrEdc } from './ecr-edc/descriptor.ts';
export { descriptor as kpay } from './kpay/descriptor.ts';
export { descriptor as transbank } from './transbank/descriptor.ts';
export { descriptor as zvt } from './zvt/descriptor.ts';
